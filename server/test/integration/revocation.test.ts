import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import { type Service, startService } from '#test/service.ts';

const PROCESSES = bySize(2, 4);
const ROUNDS_REFUSED = bySize(3, 10);
let database: TestDatabase;
let service: Service;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({
    databaseUrl: database.url,
    processes: PROCESSES,
    // This test causes hundreds of refusals from one address, which the limit on wrong credentials would
    // block.
    env: { AUTH_FAILURES_PER_MINUTE: '1000000' },
  });
});
afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

test(`a new key works and a revoked key is refused on every API process${bySize('', ' within one second')}`, async () => {
  const key = await service.admin<{ header: string; apiKey: string; keyId: string }>(
    'key',
    'create',
    '--email',
    'soc@example.com',
    '--plan',
    'ENTERPRISE',
    '--limits',
    JSON.stringify({ burstPerMinute: 1_000_000, checksPerMonth: 100_000_000 }),
  );
  expect(service.listenerPids()).toHaveLength(PROCESSES);
  // 64 connections, so that the kernel spreads them over every listener of the shared port.
  const agent = new Agent({ connections: 64, pipelining: 1 });
  const ask = async () => {
    const answer = await request(`${service.url}/check`, {
      dispatcher: agent,
      headers: { 'X-API-KEY': key.header },
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  const round = () => Promise.all(Array.from({ length: 64 }, ask));
  await eventually('every process knows the key', bySize(60_000, 2_000), async () =>
    (await round()).every((status) => status === 200),
  );

  await service.admin('key', 'revoke', key.apiKey);
  const revokedAt = performance.now();
  const withinMs = await eventually('every process refuses the key', bySize(60_000, 3_000), async () =>
    (await round()).every((status) => status === 401),
  );
  if (IS_FULL_SIZE) {
    // `admin` exits after the commit, so this is an upper bound of the time from commit to refusal.
    expect(withinMs).toBeLessThan(1_000);
    await sleep(Math.max(0, 1_000 - (performance.now() - revokedAt)));
  }
  for (let i = 0; i < ROUNDS_REFUSED; i += 1)
    expect((await round()).every((status) => status === 401)).toBe(true);
  await agent.close();
}, 180_000);
