import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ingestSnapshot } from '#capabilities/feeds/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { type Service, startService } from '#test/service.ts';

const CHANGES = 200;
const LAG_P99_MAX_MS = 1_000;
const BACKGROUND = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'assay-feed-lag-'));
const [log, clock] = [createLog('silent'), systemClock()];

let database: TestDatabase;
let system: Postgres;
let services: readonly Service[] = [];
let header: string;

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 });
  // Two nodes, each with its own replica, so that each address is one process.
  services = await Promise.all([0, 1].map(() => startService({ databaseUrl: database.url })));
  const key = await services[0]?.admin<{ header: string }>(
    'key',
    'create',
    '--email',
    'lag@example.com',
    '--plan',
    'ENTERPRISE',
    '--limits',
    JSON.stringify({ burstPerMinute: 10_000_000, checksPerMonth: 1_000_000_000 }),
  );
  header = key?.header ?? '';
}, 600_000);
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await system?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const background = Array.from({ length: BACKGROUND }, (_, i) => `bg${i}.lag-test.com`);

async function publish(values: readonly string[]): Promise<void> {
  const path = join(folder, 'list.txt');
  writeFileSync(path, [...background, ...values].join('\n'));
  await ingestSnapshot(
    { system, clock, log, dataDir: folder },
    {
      sourceId: 'lag',
      settings: { name: 'Lag' },
      files: [{ path, format: { kind: 'plain' } }],
      dataAtMs: clock.now(),
      judge: () => undefined,
      canaries: false,
    },
  );
}

test('from the commit of a merge to two nodes answering with it: p99 under one second over 200 changes', async () => {
  const agent = new Agent({ connections: 2 });
  const isListed = async (service: Service, value: string): Promise<boolean> => {
    const answer = await request(`${service.url}/check?query=${value}`, {
      dispatcher: agent,
      headers: { 'X-API-KEY': header },
    });
    const body = (await answer.body.json()) as { blocklistListed?: boolean };
    return body.blocklistListed === true;
  };
  const seen = (service: Service, value: string) =>
    eventually(`${service.url} lists ${value}`, 20_000, () => isListed(service, value));

  await publish(['warm.up.com']);
  await Promise.all(services.map((service) => seen(service, 'warm.up.com')));
  const lags: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const value = `new${change}.appears.com`;
    await publish([value]);
    const committedAt = performance.now();
    await Promise.all(services.map((service) => seen(service, value)));
    lags.push(performance.now() - committedAt);
    if (change % 20 === 0) await sleep(100);
  }
  await agent.close();
  lags.sort((a, b) => a - b);
  const at = (share: number) => Math.round(lags[Math.ceil(lags.length * share) - 1] ?? Number.NaN);
  process.stdout.write(`commit-to-answer lag: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms\n`);
  expect(at(0.99)).toBeLessThan(LAG_P99_MAX_MS);
}, 300_000);
