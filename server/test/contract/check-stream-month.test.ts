import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { readStream } from '#test/read-stream.ts';
import { type Service, startService } from '#test/service.ts';

const PER_HOUR = 10;
const PER_MONTH = 50;
/** A window of an hour that slides is empty again after two. */
const APART_MS = 2 * 3_600_000;
/** The middle of a month, so that none ends while the test runs. */
const START_MS = Date.UTC(2027, 2, 10, 6);

let database: TestDatabase;
const services: Service[] = [];
const prefix = `test-${randomBytes(5).toString('hex')}`;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await database?.drop();
});

/** The same counters, seen at another hour. */
async function serviceAt(nowMs: number): Promise<Service> {
  const service = await startService({
    databaseUrl: database.url,
    env: { REDIS_PREFIX: prefix, CLOCK_OFFSET_MS: String(nowMs - Date.now()) },
  });
  services.push(service);
  return service;
}

test('without credentials fifty a month per address, by the figures of decisions 1.4, however they are spread', async () => {
  let given = 0;
  for (let hour = 0; given < PER_MONTH; hour += 1) {
    const { url } = await serviceAt(START_MS + hour * APART_MS);
    for (let call = 0; call < PER_HOUR; call += 1, given += 1) {
      const { status, events } = await readStream(`${url}/check/stream?query=example.com`);
      expect([status, events.at(-1)?.type], `call ${given + 1}`).toEqual([200, 'done']);
    }
  }
  expect(services).toHaveLength(PER_MONTH / PER_HOUR);
  const { url } = await serviceAt(START_MS + services.length * APART_MS);
  const { status, headers, text } = await readStream(`${url}/check/stream?query=example.com`);
  expect(status).toBe(429);
  expect(JSON.parse(text)).toMatchObject({ error: 'Rate Limited', plan: 'ANONYMOUS' });
  // Until the 1st of April.
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(20 * 86_400);
}, 240_000);
