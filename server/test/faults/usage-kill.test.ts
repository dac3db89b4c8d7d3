import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';

let database: TestDatabase;
let system: Postgres;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await system?.close();
  await database?.drop();
});

async function start(flushMs: number): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(join(import.meta.dirname, 'usage-child.ts'), [database.url, String(flushMs)]);
  children.push(child);
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}
const ask = async (port: number, times: number): Promise<void> => {
  for (let at = 0; at < times; at += 1)
    expect((await fetch(`http://127.0.0.1:${port}/counted`)).status).toBe(200);
};
const counted = async (): Promise<number> => {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(counted), 0)::int as sum from request_count where verdict = ''`.execute(system.db);
  return rows[0]?.sum ?? 0;
};

test('a killed process loses at most what it counted since the last flush and doubles nothing; a stopped one loses nothing', async () => {
  const first = await start(500);
  await ask(first.port, 20);
  await eventually('the counts are written', 10_000, async () => (await counted()) >= 20);
  expect(await counted()).toBe(20);
  await ask(first.port, 7);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const afterKill = await counted();
  expect(afterKill).toBeGreaterThanOrEqual(20);
  expect(afterKill).toBeLessThanOrEqual(27);

  const second = await start(3_600_000);
  await ask(second.port, 9);
  expect(await counted()).toBe(afterKill);
  second.child.send('stop');
  await once(second.child, 'exit');
  expect(await counted()).toBe(afterKill + 9);
});
