import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { type LiveAnswerRow, trimLiveAnswers, upsertLiveAnswers } from '../live-answer-store.ts';
import { createKeptAnswers } from './kept-answers.ts';

const clock = systemClock();
const log = createLog('silent');
const HOUR_MS = 3_600_000;
let database: TestDatabase;
let postgres: Postgres;
let system: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 6 };
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  system = asSystem(config);
});
afterAll(async () => {
  await postgres.close();
  await system.close();
  await database.drop();
});

const row = (key: string, value: unknown, changes: Partial<LiveAnswerRow> = {}): LiveAnswerRow => {
  const nowMs = Math.round(clock.now());
  return {
    provider: 'rdap',
    key,
    value: JSON.stringify(value),
    fetchedAtMs: nowMs,
    freshUntilMs: nowMs + HOUR_MS,
    keepUntilMs: nowMs + 24 * HOUR_MS,
    ...changes,
  };
};
const open = () => createKeptAnswers({ postgres, clock, log });

test('a stored answer is found by another process, to the millisecond, and the last one of a key is stored', async () => {
  const [one, other] = [open(), open()];
  const last = row('a.example', { name: 'A\u0000\ud800"' });
  one.keep(row('a.example', { name: 'first' }));
  one.keep(last);
  one.keep(row('b.example', {}));
  one.forget('rdap', 'b.example');
  // The process that stored the answer finds it even before its batch is written.
  expect(await one.find('rdap', 'a.example')).toEqual(last);
  await one.close();
  const found = await other.find('rdap', 'a.example');
  expect(found).toMatchObject({ key: 'a.example', value: last.value });
  expect(found?.fetchedAtMs).toBeCloseTo(last.fetchedAtMs, 1);
  expect(await other.find('rdap', 'b.example')).toBeNull();
  expect(await other.find('ct', 'a.example')).toBeNull();
});

test('an older answer does not replace a newer one', async () => {
  const newer = row('order.example', { at: 2 });
  await upsertLiveAnswers(postgres.db, [newer]);
  await upsertLiveAnswers(postgres.db, [
    row('order.example', { at: 1 }, { fetchedAtMs: newer.fetchedAtMs - HOUR_MS }),
  ]);
  expect((await open().find('rdap', 'order.example'))?.value).toBe('{"at":2}');
});

test('two nodes that write the same keys in different orders do not deadlock', async () => {
  const keys = Array.from({ length: 200 }, (_, index) => `k${index}.example`);
  const write = (order: readonly string[]) =>
    upsertLiveAnswers(
      postgres.db,
      order.map((key) => row(key, {})),
    );
  for (let round = 0; round < 10; round += 1)
    await Promise.all([write(keys), write([...keys].reverse()), write(keys), write([...keys].reverse())]);
});

test('rows past their time are not found, and are deleted by the system in batches', async () => {
  await sql`delete from live_answer`.execute(system.db);
  const past = { keepUntilMs: clock.now() - 1_000 };
  await upsertLiveAnswers(postgres.db, [row('over.example', {}, past), row('kept.example', {})]);
  expect(await open().find('rdap', 'over.example')).toBeNull();
  expect(await trimLiveAnswers(system.db, clock.now())).toBe(1);
  expect(await trimLiveAnswers(system.db, clock.now())).toBe(0);
  expect(await open().find('rdap', 'kept.example')).not.toBeNull();
});

test('many concurrent reads are all served, over two connections', async () => {
  await upsertLiveAnswers(postgres.db, [row('popular.example', {})]);
  const kept = open();
  const found = await Promise.all(Array.from({ length: 300 }, () => kept.find('rdap', 'popular.example')));
  expect(found.every((each) => each !== null)).toBe(true);
});

test('more than a batch is written before it closes', async () => {
  const kept = open();
  for (let index = 0; index < 700; index += 1) kept.keep(row(`many${index}.example`, { index }));
  await kept.close();
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from live_answer where key like 'many%'`.execute(postgres.db);
  expect(rows[0]?.total).toBe(700);
});
