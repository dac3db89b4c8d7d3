import { asSystem } from '#platform/postgres.ts';
import { firewallLists } from './firewall-lists.ts';
import { putLists } from './put-lists.ts';

/** Builds one version of the lists in a process of its own, as a worker beside the API does. */
const [databaseUrl = '', dataDir = '', version = '0', share = '1'] = process.argv.slice(2);
const system = asSystem({ DATABASE_URL: databaseUrl, POSTGRES_POOL_MAX: 2 });
await putLists({
  system,
  dataDir,
  membership: `version ${version}`,
  lists: firewallLists(Number(version), Number(share)),
});
await system.close();
