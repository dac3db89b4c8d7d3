import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { type Service, startService } from '#test/service.ts';

const PROCESSES = 4;
let database: TestDatabase;
let service: Service;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({
    databaseUrl: database.url,
    processes: PROCESSES,
    // Hundreds of refusals come from one address here; the guard against guessing is not what is tested.
    env: { AUTH_FAILURES_PER_MINUTE: '1000000' },
  });
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

test('a new key works and a revoked key is refused on every API process within one second', async () => {
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
  // Many connections, so that the kernel spreads them over every listener of the shared port.
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
  await eventually('every process knows the key', 2_000, async () =>
    (await round()).every((status) => status === 200),
  );

  await service.admin('key', 'revoke', key.apiKey);
  const revokedAt = performance.now();
  const withinMs = await eventually('every process refuses the key', 3_000, async () =>
    (await round()).every((status) => status === 401),
  );
  // `admin` is a process of its own: its exit comes after the commit, so this bounds commit to refusal from above.
  expect(withinMs).toBeLessThan(1_000);
  await sleep(Math.max(0, 1_000 - (performance.now() - revokedAt)));
  for (let i = 0; i < 10; i += 1) expect((await round()).every((status) => status === 401)).toBe(true);
  await agent.close();
});
