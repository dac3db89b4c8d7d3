import { afterAll, beforeAll, expect, test } from 'vitest';
import { AddressGuard } from '#capabilities/metering/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';
import { readStream } from '#test/read-stream.ts';
import { connectTestRedis, testPrefix } from '#test/redis.ts';
import { type Service, startService } from '#test/service.ts';

const PER_HOUR = 10;
const PER_MONTH = 50;
/** Time between two calls: after two hours the sliding window of one hour is empty again. */
const APART_MS = 2 * 3_600_000;
/** The middle of a month, so that no month ends during the test. */
const START_MS = Date.UTC(2027, 2, 10, 6);

let database: TestDatabase;
const services: Service[] = [];
let prefix = testPrefix();
const hourMs = (hour: number): number => START_MS + hour * APART_MS;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await database?.drop();
});

async function serviceAt(nowMs: number): Promise<Service> {
  const service = await startService({
    databaseUrl: database.url,
    env: {
      REDIS_PREFIX: prefix,
      CLOCK_OFFSET_MS: String(nowMs - Date.now()),
      // Long, because a process counts alone while Redis is late, and then the fiftieth call would not be the last.
      REDIS_TIMEOUT_MS: '5000',
    },
  });
  services.push(service);
  return service;
}

async function spendAt(hour: number, calls: number): Promise<void> {
  const redis = await connectTestRedis();
  try {
    const guard = new AddressGuard({
      redis,
      config: { REDIS_PREFIX: prefix, CLOCK_OFFSET_MS: 1 },
      clock: { ...systemClock(), now: () => hourMs(hour) },
      shares: () => 1,
    });
    const limits = { perHour: PER_HOUR, perMonth: PER_MONTH };
    for (let call = 0; call < calls; call += 1)
      expect(await guard.spend('127.0.0.1', '/check/stream', limits)).toMatchObject({
        granted: true,
        isLocal: false,
      });
  } finally {
    redis.close();
  }
}

const ask = ({ url }: Service) => readStream(`${url}/check/stream?query=example.com`);
async function expectUsedUp(service: Service): Promise<void> {
  const { status, headers, text } = await ask(service);
  expect(status).toBe(429);
  expect(JSON.parse(text)).toMatchObject({ error: 'Rate Limited', plan: 'ANONYMOUS' });
  // The wait lasts until the 1st of April, 20 days and more.
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(20 * 86_400);
}

test('without credentials the fiftieth call of a month is the last, even when the hour still has calls left', async () => {
  const service = await serviceAt(hourMs(PER_MONTH / PER_HOUR));
  for (let hour = 0; hour < PER_MONTH / PER_HOUR; hour += 1)
    await spendAt(hour, hour === 0 ? PER_HOUR - 1 : PER_HOUR);
  const { status, events } = await ask(service);
  expect([status, events.at(-1)?.type]).toEqual([200, 'done']);
  await expectUsedUp(service);
}, 600_000);

// Full size only: it starts six services, one for each hour.
test.runIf(IS_FULL_SIZE)(
  'without credentials fifty a month per address, by the figures of decisions 1.4, however the calls are spread',
  async () => {
    prefix = testPrefix();
    for (let given = 0; given < PER_MONTH; ) {
      const service = await serviceAt(hourMs(given / PER_HOUR));
      for (let call = 0; call < PER_HOUR; call += 1, given += 1) {
        const { status, events } = await ask(service);
        expect([status, events.at(-1)?.type], `call ${given + 1}`).toEqual([200, 'done']);
      }
    }
    await expectUsedUp(await serviceAt(hourMs(PER_MONTH / PER_HOUR)));
  },
  600_000,
);
