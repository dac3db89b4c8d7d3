import { RequestCounts } from '#capabilities/usage/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem } from '#platform/postgres.ts';
import { listen, plainRoute, testApp } from '#test/http-app.ts';

/** A listener reduced to its request counts, for a test to kill and to stop. It closes its parts as a real one does. */
const system = asSystem({ DATABASE_URL: process.argv[2] ?? '', POSTGRES_POOL_MAX: 2 });
const log = createLog('silent');
const counts = new RequestCounts({ system, clock: systemClock(), log, flushMs: Number(process.argv[3]) });
const app = testApp([plainRoute({ path: '/counted' })], { countOf: counts.countOf });
process.on('message', async () => {
  await app.close();
  await counts.close();
  await system.close();
  process.disconnect?.();
});
process.send?.(await listen(app));
