import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { addUsage, type LedgerRow, raiseUsage, selectUsage } from './store.ts';

let database: TestDatabase;
let system: Postgres;
let app: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 };
  system = asSystem(config);
  app = connectPostgres(config, 'assay_app', PATIENT);
});
afterAll(async () => {
  await Promise.all([system?.close(), app?.close()]);
  await database?.drop();
});

const row = (accountId: string, granted: number, refunded = 0): LedgerRow => ({
  accountId,
  meter: 'checks',
  period: '202611',
  granted,
  refunded,
});
const usedBy = async (accountId: string) => {
  const [found] = await selectUsage(system.db, accountId, '202611');
  return found === undefined ? null : found.granted - found.refunded;
};

describe('the usage ledger', () => {
  test('writers in any order leave the highest of both counters, so a refund is never lost', async () => {
    await raiseUsage(system.db, [row('org_a', 120, 3)]);
    const held = await raiseUsage(system.db, [row('org_a', 100, 5)]);
    expect(held).toEqual([row('org_a', 120, 5)]);
    expect(await usedBy('org_a')).toBe(115);
  });

  test('two processes flushing the same thousand accounts at once do not block each other', async () => {
    const random = seededRandom('order of a flush');
    const rows = Array.from({ length: 1_000 }, (_, i) => row(`org_many${i}`, i));
    await Promise.all([
      raiseUsage(system.db, rows),
      raiseUsage(system.db, rows.toReversed()),
      raiseUsage(
        system.db,
        rows
          .map((one) => [random(), one] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, one]) => one),
      ),
    ]);
    expect(await usedBy('org_many999')).toBe(999);
  });

  test('units owed by a stopping process are added, not compared', async () => {
    await raiseUsage(system.db, [row('org_b', 10)]);
    await addUsage(system.db, [row('org_b', 4, 1)]);
    expect(await usedBy('org_b')).toBe(13);
  });

  test('an account reads only its own usage and cannot write it', async () => {
    await raiseUsage(system.db, [row('org_c', 1), row('org_d', 2)]);
    const seen = await app.withAccount('org_c', async (tx) => [
      await selectUsage(tx, 'org_c', '202611'),
      await selectUsage(tx, 'org_d', '202611'),
    ]);
    expect(seen.map((rows) => rows.length)).toEqual([1, 0]);
    await expect(app.withAccount('org_c', (tx) => raiseUsage(tx, [row('org_c', 0)]))).rejects.toThrow(
      /permission denied/,
    );
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from usage_ledger`.execute(app.db);
    expect(rows[0]?.n).toBe(0);
  });
});
