import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import { type Service, startService } from '#test/service.ts';

const PROCESSES = bySize(2, 4);
const IN_FLIGHT = bySize(200, 1_000);
const REQUESTS = bySize(1_000, 8_000);
const LIMIT = bySize(300, 1_000);

let database: TestDatabase;
let service: Service;
let agent: Agent;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({
    databaseUrl: database.url,
    processes: PROCESSES,
    // The limit is exact as long as Redis answers; on a busy machine it may need longer than the default of 50 ms.
    env: { LOG_LEVEL: 'error', REDIS_TIMEOUT_MS: '10000' },
  });
  agent = new Agent({ connections: IN_FLIGHT, pipelining: 1 });
});
afterAll(async () => {
  await agent?.close();
  await service?.stop();
  await database?.drop();
});

test(`${PROCESSES} processes, ${IN_FLIGHT} in flight, ${REQUESTS} requests at a limit of ${LIMIT}: exactly ${LIMIT} are granted`, async () => {
  const key = await service.admin<{ header: string }>(
    'key',
    'create',
    '--email',
    'exact@example.com',
    '--plan',
    'PRO',
    '--limits',
    JSON.stringify({ burstPerMinute: 1_000_000, checksPerMonth: LIMIT }),
  );
  const statuses = new Map<number, number>();
  const ask = async (path: string) => {
    const answer = await request(`${service.url}${path}`, {
      dispatcher: agent,
      headers: { 'X-API-KEY': key.header },
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  await eventually('the key is known', 30_000, async () => (await ask('/check')) === 200);
  let left = REQUESTS;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      let status = await ask('/check?query=192.0.2.1&enrichment=basic');
      // A busy machine sheds load before anything is charged, so the request is repeated.
      while (status === 503) status = await ask('/check?query=192.0.2.1&enrichment=basic');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, client));
  expect(Object.fromEntries(statuses)).toEqual({ 200: LIMIT, 429: REQUESTS - LIMIT });
}, 180_000);
