import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { keepResult } from '#test/proof-results.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { accountOf, emitNumbered, putEndpoints, startSending } from '#test/webhook-load.ts';
import { type Received, type Receiver, startReceiver } from '#test/webhook-receiver.ts';

const ENDPOINTS = 20;
const EVENTS = 10_000;
const KILL_EVERY_MS = 2_000;
const FAILING_SHARE = 0.3;
/** A lane that fails for days is another proof; here each message fails a few times. */
const RETRY_MS = [100, 200, 400, 800, 1_600, 3_200, 3_200, 3_200, 3_200];
const WORKERS = 3;
/** A busy machine may give senders no time between two kills; then the next kill waits until they have done something. */
const ACCEPTED_BETWEEN_KILLS = 25;
const REDELIVERED_WITHIN_MS = 30_000;
const random = seededRandom('webhooks-killed');

let database: TestDatabase;
let system: Postgres;
let receiver: Receiver;
let env: Record<string, string>;
let isStopping = false;
let kills = 0;
const workers: (ChildProcess | null)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  receiver = await startReceiver();
  env = {
    ASSAY_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
    REDIS_PREFIX: `webhooks-killed-${process.pid}`,
    WEBHOOK_ALLOW: `127.0.0.0/8:${receiver.port}`,
    WEBHOOK_CA_FILE: receiver.caFile,
  };
});
afterAll(async () => {
  isStopping = true;
  for (const worker of workers) worker?.kill('SIGKILL');
  await receiver?.close();
  await system?.close();
  await database?.drop();
});

async function keepWorker(at: number): Promise<void> {
  while (!isStopping) {
    const child = await startSending(env, RETRY_MS).catch(() => null);
    if (child === null) continue;
    workers[at] = child;
    await new Promise((resolve) => child.once('exit', resolve));
    workers[at] = null;
  }
}

/** Kills the running workers in turn until `until` is true. */
async function killOften(until: () => boolean, acceptedNow: () => number): Promise<void> {
  let acceptedThen = 0;
  for (let turn = 0; !until(); turn += 1) {
    await sleep(KILL_EVERY_MS);
    if (acceptedNow() < acceptedThen + ACCEPTED_BETWEEN_KILLS) continue;
    acceptedThen = acceptedNow();
    const sending = workers.filter((worker) => worker !== null);
    if (sending[turn % Math.max(1, sending.length)]?.kill('SIGKILL') === true) kills += 1;
  }
}

type Accepted = {
  readonly id: string;
  readonly sequence: number;
  readonly outOfOrder: boolean;
  readonly atMs: number;
};

test('10,000 events reach receivers that fail, while senders are killed every 2 s: none is missing or overtaken', async () => {
  const accepted = new Map<string, Accepted[]>();
  const tries = new Map<string, number[]>();
  const bodies = new Map<string, Set<string>>();
  receiver.answer((received: Received, response) => {
    tries.set(received.id, [...(tries.get(received.id) ?? []), received.atMs]);
    bodies.set(received.id, (bodies.get(received.id) ?? new Set()).add(received.body));
    receiver.received.length = 0;
    if (random() < FAILING_SHARE) {
      if (random() < 0.5) return random() < 0.5 ? 500 : 503;
      response.destroy();
      return undefined;
    }
    const { sequence, outOfOrder = false } = JSON.parse(received.body) as {
      sequence: number;
      outOfOrder?: boolean;
    };
    const lane = accepted.get(received.path) ?? [];
    lane.push({ id: received.id, sequence, outOfOrder, atMs: received.atMs });
    accepted.set(received.path, lane);
    return 200;
  });
  await putEndpoints(
    system,
    Array.from({ length: ENDPOINTS }, (_, at) => receiver.urlOf(at + 1, `/${at}`)),
  );
  const startedAt = performance.now();
  for (let at = 0; at < WORKERS; at += 1) void keepWorker(at);
  let isDone = false;
  const acceptedNow = () => [...accepted.values()].reduce((sum, lane) => sum + lane.length, 0);
  const killing = killOften(() => isDone, acceptedNow);
  for (let n = 1; n <= EVENTS / ENDPOINTS; n += 1) {
    await emitNumbered(
      system,
      Array.from({ length: ENDPOINTS }, (_, at) => ({ accountId: accountOf(at), n })),
    );
    await sleep(40);
  }
  const distinct = () => new Set([...accepted.values()].flat().map(({ id }) => id)).size;
  await eventually('every event is accepted', 1_800_000, () => distinct() >= EVENTS);
  isDone = true;
  await killing;
  const lanes = [...accepted.values()].map(firstOnes);
  const missing = EVENTS - lanes.flat().length;
  const inversions = lanes.reduce((sum, lane) => sum + inversionsIn(lane), 0);
  const doubled = [...accepted.values()].flat().length - distinct();
  const pauses = [...tries.values()].flatMap((times) =>
    times.slice(1).map((time, at) => time - (times[at] ?? 0)),
  );
  keepResult('webhooks-killed', {
    events: EVENTS,
    missing,
    inversions,
    doubled,
    kills,
    failedAttempts: [...tries.values()].flat().length - [...accepted.values()].flat().length,
    slowestRedeliveryMs: Math.max(0, ...pauses),
    seconds: (performance.now() - startedAt) / 1_000,
  });
  expect({ missing, inversions }).toEqual({ missing: 0, inversions: 0 });
  expect(Math.max(0, ...pauses)).toBeLessThan(REDELIVERED_WITHIN_MS);
  for (const texts of bodies.values()) expect(texts.size).toBe(1);
}, 3_600_000);

/** The first acceptance of each message. */
function firstOnes(lane: readonly Accepted[]): readonly Accepted[] {
  const seen = new Set<string>();
  return lane.filter(({ id }) => !seen.has(id) && seen.add(id));
}

const inversionsIn = (lane: readonly Accepted[]): number =>
  lane.filter(
    ({ sequence, outOfOrder }, at) => !outOfOrder && at > 0 && sequence < (lane[at - 1]?.sequence ?? 0),
  ).length;
