import { join } from 'node:path';
import { buildSdk } from './build-sdk.ts';

const outDir = join(import.meta.dirname, '../dist');
await buildSdk(outDir);
process.stdout.write('sdk/dist written. Publish it with `npm publish ./sdk/dist`.\n');
