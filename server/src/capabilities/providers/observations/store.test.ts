import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asServiceError } from '#platform/http/render-error.ts';
import { createLog } from '#platform/log.ts';
import { registry } from '#platform/metrics.ts';
import { asSystem, connectPostgres, type Db, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { expectWithin } from '#test/expect-within.ts';
import { capturedLog } from '#test/http-app.ts';
import { providersWorkerPart } from '../jobs.ts';
import type { Observation } from '../observation.ts';
import { createObservations } from './observations.ts';
import { deleteUnseenSince } from './store.ts';

const log = createLog('silent');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 0, 10);
const at = { ms: START_MS };
const clock = { now: () => at.ms, monotonic: () => at.ms };
const AWAY = { DATABASE_URL: 'postgres://127.0.0.1:1/none', POSTGRES_POOL_MAX: 1 };

let database: TestDatabase;
let postgres: Postgres;
let system: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 };
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  system = asSystem(config);
});
beforeEach(async () => {
  at.ms = START_MS;
  await sql`delete from observation`.execute(system.db);
});
afterAll(async () => {
  await Promise.all([postgres?.close(), system?.close()]);
  await database?.drop();
});

const resolves = (subject: string, pivot: string): Observation => ({
  relation: 'resolves',
  pivot,
  subject,
  recordType: 'A',
});
async function learn(...observations: Observation[]): Promise<void> {
  const own = createObservations({ postgres, log, clock });
  own.record(observations);
  await own.close();
}
const reader = () => createObservations({ postgres, log, clock });
const metric = async (outcome: string): Promise<number> => {
  const values = (await registry.getSingleMetric('assay_observations_total')?.get())?.values ?? [];
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
};

describe('observations', () => {
  test('are found from both ends, newest first, with first and last sighting', async () => {
    await learn(resolves('a.com', '45.83.64.7'), resolves('b.com', '45.83.64.7'));
    at.ms += 2 * HOUR_MS;
    await learn(resolves('a.com', '45.83.64.7'), resolves('a.com', '45.83.64.8'));
    const byPivot = await reader().byPivot('resolves', '45.83.64.7', 10);
    expect(byPivot.total).toBe(2);
    expect(byPivot.rows).toEqual([
      {
        subject: 'a.com',
        pivot: '45.83.64.7',
        recordType: 'A',
        firstSeenMs: START_MS,
        lastSeenMs: START_MS + 2 * HOUR_MS,
      },
      expect.objectContaining({ subject: 'b.com', lastSeenMs: START_MS }),
    ]);
    const bySubject = await reader().bySubject('resolves', 'a.com', 10);
    expect(bySubject.rows.map(({ pivot }) => pivot).sort()).toEqual(['45.83.64.7', '45.83.64.8']);
  });

  test('one relation does not return another', async () => {
    await learn({ relation: 'nameserver', pivot: 'ns1.x.com', subject: 'a.com', recordType: 'NS' });
    expect(await reader().byPivot('nameserver', 'ns1.x.com', 10)).toMatchObject({ total: 1 });
    expect(await reader().byPivot('resolves', 'ns1.x.com', 10)).toEqual({ rows: [], total: 0 });
    expect(await reader().bySubject('registrar', 'a.com', 10)).toEqual({ rows: [], total: 0 });
  });

  test('a sighting within the hour writes nothing, and an older one never moves the date back', async () => {
    await learn(resolves('a.com', '45.83.64.7'));
    const version = async () =>
      (await sql<{ xmin: string }>`select xmin::text from observation`.execute(postgres.db)).rows[0]?.xmin;
    const before = await version();
    at.ms += HOUR_MS / 2;
    await learn(resolves('a.com', '45.83.64.7'));
    at.ms -= 3 * HOUR_MS;
    await learn(resolves('a.com', '45.83.64.7'));
    expect(await version()).toBe(before);
  });

  test('the count covers all rows where the page does not', async () => {
    await learn(...Array.from({ length: 1_234 }, (_, i) => resolves(`n${i}.com`, '45.83.64.9')));
    const page = await reader().byPivot('resolves', '45.83.64.9', 1_000);
    expect([page.rows.length, page.total]).toEqual([1_000, 1_234]);
    expect((await reader().byPivot('resolves', '45.83.64.9', 50)).total).toBe(1_234);
  });

  test('hold nothing about the caller', async () => {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns where table_name = 'observation' order by 1`.execute(
      postgres.db,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'first_seen',
      'last_seen',
      'pivot',
      'record_type',
      'relation',
      'subject',
    ]);
  });
});

describe('the buffer', () => {
  test('is written automatically within a few seconds, or at once when 500 are waiting', async () => {
    const own = reader();
    own.record([resolves('timed.com', '45.83.64.1')]);
    const waitedMs = await eventually('it is written', 10_000, async () => {
      return (await own.byPivot('resolves', '45.83.64.1', 1)).total === 1;
    });
    expect(waitedMs).toBeGreaterThan(1_000);
    own.record(Array.from({ length: 500 }, (_, i) => resolves(`batch${i}.com`, '45.83.64.2')));
    const quickMs = await eventually('the batch is written', 10_000, async () => {
      return (await own.byPivot('resolves', '45.83.64.2', 1)).total === 500;
    });
    expectWithin(quickMs, 1_900);
    await own.close();
  });

  test('a process does not write the same observation again within the hour', async () => {
    const own = reader();
    own.record([resolves('a.com', '45.83.64.7')]);
    await own.close();
    const before = await metric('known');
    own.record([resolves('a.com', '45.83.64.7')]);
    expect((await metric('known')) - before).toBe(1);
    await own.close();
  });

  test('while PostgreSQL is down it keeps the newest 10,000, counts dropped ones, and logs once', async () => {
    const captured = capturedLog('warn');
    const away = connectPostgres(AWAY, 'assay_app');
    const target = { db: away.db };
    const own = createObservations({ postgres: target, log: captured.log, clock });
    const before = await metric('dropped');
    for (let i = 0; i < 105; i += 1)
      own.record(Array.from({ length: 100 }, (_, j) => resolves(`n${i * 100 + j}.com`, '45.83.64.3')));
    expect((await metric('dropped')) - before).toBe(500);
    await own.close();
    await own.close();
    expect(captured.lines.filter((line) => line.includes('observations.not_written')).length).toBe(1);
    target.db = postgres.db;
    await own.close();
    expect((await reader().byPivot('resolves', '45.83.64.3', 1)).total).toBe(10_000);
    expect((await reader().bySubject('resolves', 'n499.com', 1)).total).toBe(0);
    await away.close();
  });

  test('reading while PostgreSQL is down is a 503', async () => {
    const away = connectPostgres(AWAY, 'assay_app');
    const own = createObservations({ postgres: away, log, clock });
    await expect(own.byPivot('resolves', '45.83.64.3', 1)).rejects.toSatisfy(
      (error) => asServiceError(error).status === 503,
    );
    await away.close();
  });

  test.each([
    ['empty', resolves('', '45.83.64.7')],
    ['too long', resolves('a'.repeat(257), '45.83.64.7')],
    ['with a NUL', resolves('a\0b.com', '45.83.64.7')],
  ])('a subject that is %s is left out, and the rest is written', async (_what, broken) => {
    await learn(broken, resolves('good.com', '45.83.64.7'));
    expect((await reader().byPivot('resolves', '45.83.64.7', 10)).rows.map(({ subject }) => subject)).toEqual(
      ['good.com'],
    );
  });

  test('rows are locked in key order, so that two nodes with the same rows never deadlock', async () => {
    await learn(resolves('a.com', '45.83.64.4'), resolves('z.com', '45.83.64.4'));
    at.ms += 2 * HOUR_MS;
    const isWaiting = async () => {
      const { rows } = await sql`
        select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
         where not l.granted and a.datname = ${database.name}`.execute(system.db);
      return rows.length > 0;
    };
    const touch = (tx: Db, subject: string) =>
      sql`update observation set last_seen = last_seen where subject = ${subject}`.execute(tx);
    const other = createObservations({ postgres, log, clock });
    const held = postgres.transaction(async (tx) => {
      await touch(tx, 'a.com');
      other.record([resolves('z.com', '45.83.64.4'), resolves('a.com', '45.83.64.4')]);
      void other.close();
      await eventually('the other node waits', 2_000, isWaiting);
      await touch(tx, 'z.com');
    });
    await expect(held).resolves.toBeUndefined();
    await other.close();
  });
});

describe('retention', () => {
  test('observations not seen for 400 days are deleted in batches; the rest stays', async () => {
    await learn(...Array.from({ length: 5 }, (_, i) => resolves(`old${i}.com`, '45.83.64.5')));
    at.ms += 10 * DAY_MS;
    await learn(resolves('newer.com', '45.83.64.5'));
    const before = START_MS + DAY_MS;
    expect(await deleteUnseenSince(system.db, before, 3)).toBe(3);
    at.ms = START_MS + 401 * DAY_MS;
    const [trim] = providersWorkerPart({ clock }).jobs;
    const context = { log, transaction: system.transaction, signal: new AbortController().signal };
    await trim?.run(context as never, {} as never);
    const { rows } = await reader().byPivot('resolves', '45.83.64.5', 10);
    expect(rows.map(({ subject }) => subject)).toEqual(['newer.com']);
  });

  test('the service role may not delete', async () => {
    await expect(deleteUnseenSince(postgres.db, at.ms, 1)).rejects.toThrow(/permission denied/);
  });
});
