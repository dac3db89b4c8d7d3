import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { connectPostgres, sql } from '#platform/postgres.ts';
import { eventually, freePort } from '#test/eventually.ts';
import { expectWithin } from '#test/expect-within.ts';
import { type LiveRig, openLiveRig } from '#test/live-rig.ts';
import { connectTestRedis } from '#test/redis.ts';
import { startRedisServer } from '#test/redis-server.ts';
import { withoutTimeouts } from '#test/without-timeouts.ts';

const DAY_MS = 86_400_000;
let rig: LiveRig;
let counted = 0;

beforeAll(async () => {
  rig = await openLiveRig();
});
afterAll(() => rig.close());
beforeEach(() => {
  rig.peer.mode = 'answer';
  counted = rig.peer.requests.length;
});
const requests = () => rig.peer.requests.length - counted;

const kept = async (key: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from live_answer where key = ${key}`.execute(rig.postgres.db);
  return rows.length > 0;
};

test('200 concurrent lookups of the same key cost one request, and all get the answer', async () => {
  const process = rig.process();
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => process.ask('shared')));
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ state: 'found', value: { name: 'shared', size: 6 }, isStale: false });
  expect(requests()).toBe(1);
  await process.ask('shared');
  expect(requests()).toBe(1);
});

test('an answer to one process is found in Redis by another until it expires', async () => {
  const [one, other] = [rig.process(), rig.process()];
  const first = await one.ask('told');
  await eventually('Redis has it', 2_000, async () => (await other.cached('told')).state === 'found');
  expect(await other.ask('told')).toEqual(first);
  expect(requests()).toBe(1);
  rig.pass(60_001);
  expect(await other.cached('told')).toEqual({ state: 'missing', reason: 'uncached' });
  await one.ask('told');
  expect(requests()).toBe(2);
});

test('a negative answer of an upstream is cached for a while, for all processes', async () => {
  const [one, other] = [rig.process(), rig.process()];
  expect(await one.ask('absent-1')).toMatchObject({ state: 'absent' });
  await eventually('Redis has it', 2_000, async () => (await other.cached('absent-1')).state === 'absent');
  expect(await other.ask('absent-1')).toMatchObject({ state: 'absent' });
  expect(requests()).toBe(1);
  rig.pass(10_001);
  await one.ask('absent-1');
  expect(requests()).toBe(2);
});

test('a failed target is tried once a minute by all processes together, and is reported as missing, not absent', async () => {
  const [one, other] = [rig.process(), rig.process()];
  const failed = { state: 'missing', reason: 'failed' };
  expect(await one.ask('target-1')).toEqual(failed);
  await eventually(
    'Redis has it',
    2_000,
    async () => JSON.stringify(await other.cached('target-1')) === JSON.stringify(failed),
  );
  for (let each = 0; each < 20; each += 1) expect(await other.ask('target-1')).toEqual(failed);
  rig.pass(59_000);
  expect(await one.ask('target-1')).toEqual(failed);
  expect(requests()).toBe(1);
  rig.pass(1_500);
  await one.ask('target-1');
  expect(requests()).toBe(2);
});

test('an entry of an older format is a miss and is rewritten', async () => {
  const process = rig.process();
  const id = process.idOf('old');
  const dated = { format: 1, fetchedAtMs: rig.clock.now(), freshMs: 60_000 };
  const older = [{ name: 'old' }, { ...dated, value: { title: 'old' } }, { ...dated, format: 0 }, 'x'];
  for (const entry of older) {
    await rig.redis.command(id, ['SET', id, JSON.stringify(entry)]);
    expect(await process.cached('old')).toEqual({ state: 'missing', reason: 'uncached' });
  }
  expect(await process.ask('old')).toMatchObject({ state: 'found', value: { name: 'old' } });
  expect(requests()).toBe(1);
  await eventually(
    'it is replaced',
    2_000,
    async () => (await rig.process().cached('old')).state === 'found',
  );
});

test('an answer that Redis lost is read from PostgreSQL while it is fresh, without a request', async () => {
  const keeping = { keepMs: DAY_MS };
  const first = await rig.process(keeping).ask('lasting');
  await eventually('it is kept', 5_000, () => kept('lasting'));
  const other = rig.process(keeping);
  await rig.redis.command(other.idOf('lasting'), ['DEL', other.idOf('lasting')]);
  const again = await withoutTimeouts(() => other.ask('lasting'));
  expect(again).toMatchObject({ state: 'found', value: { name: 'lasting' }, isStale: false });
  expect(
    again.state === 'found' && first.state === 'found' && again.fetchedAtMs - first.fetchedAtMs,
  ).toBeCloseTo(0, 0);
  expect(requests()).toBe(1);
});

test('when the upstream fails, the last good answer is used with its true date, as long as it is stored', async () => {
  const keeping = { keepMs: DAY_MS };
  const first = await rig.process(keeping).ask('yesterday');
  const fetchedAtMs = first.state === 'found' ? first.fetchedAtMs : Number.NaN;
  await eventually('it is kept', 5_000, () => kept('yesterday'));
  rig.pass(DAY_MS / 2);
  rig.peer.mode = 'error';
  // The request fails and the new process has an empty memory, so the answer comes from PostgreSQL.
  const stale = await withoutTimeouts(() => rig.process(keeping).ask('yesterday'));
  expect(stale).toMatchObject({ state: 'found', isStale: true, value: { name: 'yesterday' } });
  expect(stale.state === 'found' && stale.fetchedAtMs - fetchedAtMs).toBeCloseTo(0, 0);
  expect(requests()).toBe(2);
  // A caller with a short deadline gets the old answer too.
  rig.peer.mode = 'hang';
  const early = await withoutTimeouts(async () => {
    const asked = rig.process(keeping).ask('yesterday', { deadlineMs: 300 });
    const untilMs = performance.now() + 60_000;
    while (requests() < 3 && performance.now() < untilMs) await turn();
    vi.advanceTimersByTime(300);
    return asked;
  });
  expect(early).toMatchObject({ isStale: true });
  rig.pass(DAY_MS / 2);
  rig.peer.mode = 'error';
  expect(await rig.process(keeping).ask('yesterday')).toEqual({ state: 'missing', reason: 'failed' });
});

test('an old answer is used from memory when PostgreSQL is unavailable', async () => {
  const dead = connectPostgres(
    { DATABASE_URL: `postgres://postgres@127.0.0.1:${await freePort()}/none`, POSTGRES_POOL_MAX: 2 },
    'assay_app',
  );
  const process = rig.process({ keepMs: DAY_MS }, { postgres: dead });
  const startedMs = performance.now();
  expect(await process.ask('memory')).toMatchObject({ state: 'found', isStale: false });
  expectWithin(performance.now() - startedMs, 500);
  rig.pass(120_000);
  rig.peer.mode = 'error';
  expect(await process.ask('memory')).toMatchObject({ state: 'found', isStale: true });
  await process.kept.close();
  await dead.close();
});

test('an answer that the upstream has withdrawn is not used again when the upstream fails', async () => {
  const keeping = { keepMs: DAY_MS };
  const process = rig.process(keeping);
  await process.ask('gone');
  await eventually('it is kept', 5_000, () => kept('gone'));
  rig.pass(120_000);
  const without = rig.process({ ...keeping, ask: async () => ({ value: null }) });
  expect(await without.ask('gone')).toMatchObject({ state: 'absent' });
  await eventually('it is forgotten', 5_000, async () => !(await kept('gone')));
  rig.pass(120_000);
  rig.peer.mode = 'error';
  expect(await rig.process(keeping).ask('gone')).toEqual({ state: 'missing', reason: 'failed' });
});

test('an unavailable Redis is a cache miss: answers come from the upstream and from memory without delay', async () => {
  const server = await startRedisServer();
  const redis = await connectTestRedis(server.url, 50);
  try {
    const process = rig.process({}, { redis });
    await process.ask('before');
    server.freeze();
    const startedMs = performance.now();
    expect(await process.ask('frozen')).toMatchObject({ state: 'found' });
    expectWithin(performance.now() - startedMs, 500);
    server.thaw();
    await server.kill();
    expect(await process.ask('killed')).toMatchObject({ state: 'found' });
    expect(await process.ask('killed')).toMatchObject({ state: 'found' });
    expect(await process.cached('before')).toMatchObject({ state: 'found' });
    expect(requests()).toBe(3);
  } finally {
    redis.close();
    await server.stop();
  }
});

test('the relations in an answer are recorded once, when the answer is fetched', async () => {
  const observe = (key: string) => [
    { relation: 'nameserver', pivot: 'ns.example', subject: key, recordType: 'NS' } as const,
  ];
  const process = rig.process({ observe });
  await Promise.all([process.ask('seen.example'), process.ask('seen.example'), process.ask('absent-2')]);
  await process.ask('seen.example');
  expect(rig.observed).toEqual(observe('seen.example'));
});
