import { join } from 'node:path';
import { bundleServer } from './bundle-server.ts';

await bundleServer(join(import.meta.dirname, '../dist'));
process.stdout.write('server/dist written. Start it with `npx node server/dist/main.js api`.\n');
