import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleServer } from './bundle-server.ts';
import { describeSources, writeSourceRecord } from './source-record.ts';

const ROOT = join(import.meta.dirname, '../..');
const BUNDLE = join(ROOT, 'server/dist');

const record = describeSources(ROOT);
await bundleServer(BUNDLE);
// Parts of the bundle that modules were kept compiled of (server/launch/keep-compiled.js) are gone.
rmSync(join(ROOT, 'node_modules/.cache/assay-compiled'), { recursive: true, force: true });
writeSourceRecord(BUNDLE, record);
process.stdout.write(
  'server/dist written. The commands of the service start it: npm run api, npm run worker.\n',
);
