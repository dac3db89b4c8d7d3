import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { MAIN } from '#test/main-file.ts';
import { INHERITED_ENV, type Service, startService } from '#test/service.ts';
import { openAccounts } from '#test/service-accounts.ts';

const SERIES_MAX = 1_500;
/** More than a listener takes to start, at 5 ms each. */
const CHECKS = 1_500;
let database: TestDatabase;
let service: Service;
let credential: string;

beforeAll(async () => {
  database = await createTestDatabase();
  // Without HTTP_PROCESSES, as an operator starts it.
  service = await startService({
    databaseUrl: database.url,
    env: { HTTP_PROCESSES: '', PUBLIC_PER_MINUTE: '100000' },
  });
  const accounts = openAccounts(service);
  const plan = { plan: 'ENTERPRISE', limits: { burstPerMinute: 1_000_000 } } as const;
  ({ credential } = await accounts.newAccount('two@example.com', plan));
  await accounts.close();
});
afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

/** A check on a connection of its own: its status, or why it failed. */
const check = (): Promise<number | string> =>
  new Promise((resolve) => {
    const headers = { 'X-API-KEY': credential };
    const asked = request(`${service.url}/check?query=203.0.114.7`, { agent: false, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    asked.once('error', (error) => resolve(`${(error as { code?: string }).code} ${error.message}`)).end();
  });

test('a listener that is killed is no outage: the other one answers until it is back', async () => {
  const [killed = 0, ...others] = service.listenerPids();
  expect(others).toHaveLength(1);
  process.kill(killed, 'SIGKILL');
  // Only a process that its parent has waited for holds no socket any more.
  await eventually('it is gone', 10_000, () => !existsSync(`/proc/${killed}`));
  const statuses: (number | string)[] = [];
  while (service.listenerPids().length < 2 || statuses.length < CHECKS) {
    statuses.push(await check());
    await sleep(5);
  }
  console.log(`figure checks-beside-a-killed-listener ${statuses.length}`);
  console.log(`figure checks-refused ${statuses.filter((status) => status !== 200).length}`);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});

/** Memory that only this process uses, in megabytes. */
const ownMegabytes = (pid: number): number =>
  [...readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].reduce(
    (sum, [, kilobytes]) => sum + Number(kilobytes),
    0,
  ) / 1_024;

test('a second listener costs its heap, because the replica is shared', () => {
  const megabytes = service.listenerPids().map((pid) => Math.round(ownMegabytes(pid)));
  console.log(`figure own-memory-of-a-listener-mb ${Math.max(...megabytes)}`);
  expect(Math.max(...megabytes)).toBeLessThan(400);
});

test('a second service on the same port is refused, although listeners share ports', async () => {
  const child = spawn(process.execPath, [MAIN, 'api'], {
    env: { ...INHERITED_ENV, ...service.env, DATA_DIR: `${service.dataDir}/second`, METRICS_PORT: '0' },
  });
  let printed = '';
  child.stdout.on('data', (part) => {
    printed += String(part);
  });
  const [code] = (await once(child, 'close')) as [number];
  expect([code, printed]).toEqual([
    1,
    expect.stringContaining('This address is taken. Stop the other service or set HTTP_PORT.'),
  ]);
});

type Page = { readonly lines: readonly string[]; readonly of: (process: string) => readonly string[] };
async function scrape(): Promise<Page> {
  const text = await (await fetch(service.metricsUrl)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { lines, of: (process) => lines.filter((line) => line.includes(`process="${process}"`)) };
}
const nameOf = (line: string): string => line.slice(0, line.lastIndexOf(' '));

test('metrics: no process has more than 1,500 series after every route was called, and few are zero', async () => {
  const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  for (const [path, operations] of Object.entries(paths))
    for (const method of Object.keys(operations))
      for (const base of ['', '/api'])
        await fetch(`${service.url}${base}${path.replace(/\{\w+\}/g, 'x')}`, {
          method: method.toUpperCase(),
          headers: { 'X-API-KEY': credential, 'content-type': 'application/json' },
          signal: AbortSignal.timeout(5_000),
        }).then(
          (answer) => answer.body?.cancel(),
          () => undefined,
        );
  const page = await scrape();
  for (const process of ['api', 'listener-0', 'listener-1', 'replicator']) {
    console.log(`figure series-${process} ${page.of(process).length}`);
    expect(page.of(process).length).toBeGreaterThan(0);
    expect(page.of(process).length).toBeLessThanOrEqual(SERIES_MAX);
  }
  console.log(`figure series-zero ${page.lines.filter((line) => line.endsWith(' 0')).length}`);
});

test('metrics: a listener that stands still keeps its series, and a gauge names it', async () => {
  const [frozen = 0] = service.listenerPids();
  const before = await scrape();
  process.kill(frozen, 'SIGSTOP');
  try {
    for (let nth = 0; nth < 11; nth += 1) {
      const page = await scrape();
      const now = new Set(page.lines.map(nameOf));
      const lost = before.lines.map(nameOf).filter((name) => name.startsWith('assay_') && !now.has(name));
      expect(lost).toEqual([]);
      expect(
        page.lines.filter((line) => /^assay_metrics_page_missing\{process="listener-\d"\} 1$/.test(line)),
      ).toHaveLength(1);
    }
  } finally {
    process.kill(frozen, 'SIGCONT');
  }
});
