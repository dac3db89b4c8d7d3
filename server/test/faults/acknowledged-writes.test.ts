import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { loginsOf, makeLogins } from '#platform/service-logins.ts';
import { type Acknowledged, findLost, WRITE_KINDS, WRITES_ENV, Writer } from '#test/acknowledged-writes.ts';
import { eventually } from '#test/eventually.ts';
import { type KilledService, startKilledService } from '#test/killed-service.ts';
import { bySize } from '#test/lane.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';

const WRITES = bySize(200, 5_000);
const WRITERS = bySize(4, 12);
/** Each round kills one listener, the worker and the whole of PostgreSQL. */
const ROUNDS = bySize(1, 7);
const LIMITS = { burstPerMinute: 1_000_000, checksPerMonth: 100_000_000 };

let killed: KilledService;
let accounts: ServiceAccounts;

beforeAll(async () => {
  killed = await startKilledService({
    random: seededRandom('acknowledged-writes'),
    env: { ...WRITES_ENV, ALLOW_POWERFUL_LOGIN: 'false' },
    // The service uses the restricted logins of production, so everything below must work without a superuser.
    prepare: async (ownerUrl) => {
      const as = (login: string) => ownerUrl.replace('//postgres@', `//${login}:password-of-a-test@`);
      const logins = { DATABASE_URL: as('assay_app_login'), SYSTEM_DATABASE_URL: as('assay_system_login') };
      await makeLogins(ownerUrl, loginsOf(logins));
      return logins;
    },
  });
  accounts = openAccounts(killed.service);
});
afterAll(async () => {
  await accounts?.close();
  await killed?.stop();
});

test('no acknowledged write of any kind is lost while the API, the worker and PostgreSQL are killed (reliability D1, D2)', async () => {
  const writers: Writer[] = [];
  for (let nth = 0; nth < WRITERS; nth += 1) {
    const account = await accounts.newAccount(`writer-${nth}@example.com`, {
      plan: 'ENTERPRISE',
      limits: LIMITS,
    });
    writers.push(new Writer(`writer-${nth}`, killed.service, account, accounts.system));
  }
  const all = (): Acknowledged[] => writers.flatMap(({ acknowledged }) => acknowledged);
  const running = writers.map((writer) => writer.run(() => all().length >= WRITES));
  await killed.killDuring({ rounds: ROUNDS, writes: WRITES, acknowledged: () => all().length });
  await Promise.all(running);
  const written = all();
  expect(written.length).toBeGreaterThanOrEqual(WRITES);
  expect([...new Set(written.map(({ kind }) => kind))].sort()).toEqual([...WRITE_KINDS].sort());
  const lost = await findLost(killed.ownerUrl, writers);
  const unknown = writers.reduce((sum, writer) => sum + writer.unknown, 0);
  console.log(`figure acknowledged-writes ${written.length}`);
  console.log(`figure unanswered-writes ${unknown}`);
  console.log(`figure lost-writes ${lost.length}`);
  expect(lost).toEqual([]);
  await eventually('the last worker holds a lease', 60_000, async () => (await leases()) > 0);
});

/** The number of leases; the last worker must take its own over the restricted login, as the first one did. */
async function leases(): Promise<number> {
  const counted = sql<{ count: number }>`select count(*)::int as count from worker_lease`;
  const { rows } = await counted.execute(accounts.system.db);
  return rows[0]?.count ?? 0;
}
