import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../server/test/support/eventually.ts';
import { bySize } from '../server/test/support/lane.ts';
import { API_CALLS, type ApiCall } from './api-calls.fixture.ts';
import { databaseExists, dropDatabase } from './engines/postgres.ts';
import { countKeys, removeKeys } from './engines/redis.ts';
import { exampleCommands } from './example-commands.ts';
import { type Example, readExamples } from './examples.ts';
import { isAlive } from './home.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
const POSTGRES = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432';
const REDIS = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
const NAME = `t${randomBytes(4).toString('hex')}`;
const [DATABASE, PREFIX] = [`assay_demo_${NAME}`, `assay-demo_${NAME}`];
/** The start takes about a minute on two free cores; the limit is higher because tests share theirs. */
const READY_WITHIN_MS = 900_000;

const temporary = mkdtempSync(join(tmpdir(), 'assay-demo-test-'));
// PostgreSQL does not run as root: its own user must be able to enter the folder.
chmodSync(temporary, 0o755);
const env = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  TMPDIR: temporary,
  DATABASE_URL: POSTGRES,
  REDIS_URL: REDIS,
};

type Started = { readonly child: ChildProcess; readonly said: () => string; readonly ended: Promise<number> };

function start(...args: readonly string[]): Started {
  const child = spawn(process.execPath, [MAIN, '--no-build', '--name', NAME, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  const ended = once(child, 'exit').then(([code]) => Number(code));
  return { child, said: () => text, ended };
}

async function untilWelcome({ child, said }: Started): Promise<void> {
  const endMs = performance.now() + READY_WITHIN_MS;
  while (!said().includes('Ctrl-C stops it')) {
    if (child.exitCode !== null || performance.now() > endMs) throw new Error(`Not ready:\n${said()}`);
    await sleep(100);
  }
}

function familyOf(pid: number): readonly number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);
  return [pid, ...children.flatMap(familyOf)];
}

let demo: Started;
let url: string;
let header: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  demo = start('--port', String(port));
  await untilWelcome(demo);
  header = /X-API-KEY: ([A-Za-z0-9+/=]+)/.exec(demo.said())?.[1] ?? '';
}, READY_WITHIN_MS + 10_000);
afterAll(async () => {
  // A failed test leaves the demonstration running; SIGINT makes it end its own processes.
  demo?.child.kill('SIGINT');
  await demo?.ended;
  await dropDatabase(POSTGRES, DATABASE);
  await removeKeys(REDIS, PREFIX);
  rmSync(temporary, { recursive: true, force: true });
});

const ask = async <T>(path: string): Promise<T> => {
  const answer = await fetch(`${url}${path}`, { headers: { 'x-api-key': header } });
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as T;
};

type Answer = {
  readonly malicious: boolean;
  readonly blocklistHits: number;
  readonly riskScore: { readonly score: number; readonly level: string };
  readonly evidence: {
    readonly verdict: string;
    readonly recommendedAction: string;
    readonly contradictorySignals: readonly unknown[];
  };
  readonly geo: { readonly city: string | null; readonly asn: number | null } | null;
};

const AS_EXPECTED: Readonly<Record<Example['expect'], (answer: Answer) => boolean>> = {
  malicious: ({ malicious, riskScore }) => malicious && ['high', 'critical'].includes(riskScore.level),
  suspicious: ({ malicious, blocklistHits, riskScore }) =>
    !malicious && blocklistHits > 0 && ['medium', 'high', 'critical'].includes(riskScore.level),
  'known-good': ({ blocklistHits, evidence }) => blocklistHits === 0 && evidence.verdict === 'safe',
  unknown: ({ blocklistHits, evidence }) =>
    blocklistHits === 0 && evidence.verdict === 'unknown' && evidence.recommendedAction !== 'allow',
  contradictory: ({ blocklistHits, evidence }) =>
    blocklistHits > 0 && evidence.contradictorySignals.length > 0,
  fading: ({ blocklistHits, riskScore }) => blocklistHits === 0 && riskScore.score > 0,
};

describe('the demonstration', () => {
  test.each(readExamples())('$value: $shows', async ({ value, type, expect: expected }) => {
    const answer = await ask<Answer>(`/check?query=${encodeURIComponent(value)}`);
    expect(AS_EXPECTED[expected](answer), JSON.stringify(answer)).toBe(true);
    if (type === 'ip')
      expect(answer.geo).toMatchObject({ city: expect.any(String), asn: expect.any(Number) });
  });

  test.each(API_CALLS)('answers $path with content', async ({ path, body, has }: ApiCall) => {
    const answer = await fetch(`${url}${path}`, {
      headers: { 'x-api-key': header, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    expect(has(isJson ? JSON.parse(text) : null, text), text.slice(0, 2_000)).toBe(true);
  });

  test('its webhook delivered every event, one of them after a second attempt', async () => {
    const { webhooks } = await ask<{ webhooks: { id: string }[] }>('/user/webhooks');
    const { deliveries, total } = await ask<{
      total: number;
      deliveries: { status: string; attempts: number }[];
    }>(`/user/webhooks/${webhooks[0]?.id}/deliveries?limit=100`);
    expect(total).toBeGreaterThan(20);
    expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([]);
    expect(deliveries.filter(({ attempts }) => attempts === 2)).toHaveLength(1);
  });

  test('the stream has what was published', async () => {
    const answer = await fetch(`${url}/stream`, {
      headers: { 'x-api-key': header, 'last-event-id': '0' },
      signal: AbortSignal.timeout(30_000),
    });
    let text = '';
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('"ioc.published"')) break;
    }
    expect(text).toContain('"value":"6.20.14.66"');
  });

  test('prints the address of the dashboard where it is built, commands, and how to turn live lookups on', () => {
    const said = demo.said();
    const isBuilt = existsSync(join(import.meta.dirname, '../web/dist/index.html'));
    expect(said).toContain(isBuilt ? `Open     ${url}/app/sign-in?with=key` : `The API  ${url}`);
    for (const { path } of exampleCommands(Date.now())) expect(said).toContain(`'${url}${path}'`);
    expect(said).toContain('npm run demo -- --live');
  });

  test('is never silent for ten seconds', () => {
    const atS = [...demo.said().matchAll(/^\[ *(?<at>[\d.]+) s\]/gm)].map((line) => Number(line.groups?.at));
    const gaps = atS.slice(1).map((at, nth) => at - (atS[nth] ?? 0));
    expect(Math.max(...gaps), demo.said()).toBeLessThan(10);
  });

  test('has figures, kinds, categories and thirty days that moved', async () => {
    const stats = await ask<{ totalThreats: number; recentActivity: { last24h: number; last7d: number } }>(
      '/stats',
    );
    expect(stats.totalThreats).toBeGreaterThan(30_000);
    expect(stats.recentActivity.last24h).toBeGreaterThan(0);
    const analytics = await ask<{
      threatOverview: { byType: Record<string, number> };
      categoryBreakdown: unknown[];
      topSources: unknown[];
      threatTimeline: { added: number; removed: number }[];
    }>('/analytics');
    for (const count of Object.values(analytics.threatOverview.byType)) expect(count).toBeGreaterThan(1_000);
    expect(analytics.categoryBreakdown.length).toBeGreaterThan(8);
    expect(analytics.topSources.length).toBeGreaterThan(10);
    const moved = analytics.threatTimeline.filter(({ added, removed }) => added > 0 && removed > 0);
    expect(moved.length).toBeGreaterThanOrEqual(28);
  });

  test('knows what an address was a week ago, and what it was before it was listed', async () => {
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const past = (days: number) => ask<Answer>(`/check?query=6.20.14.66&asOf=${at(days)}`);
    expect((await past(7)).blocklistHits).toBe(2);
    expect((await past(20)).blocklistHits).toBe(0);
  });

  test('shows one list that went wrong, and keeps the content it had', async () => {
    const { datasets } = await ask<{ datasets: { id: string; status: string; records: number }[] }>(
      '/platform/data-freshness',
    );
    expect(datasets.length).toBeGreaterThanOrEqual(20);
    const unfresh = datasets.filter(({ status }) => status !== 'fresh');
    expect(unfresh).toMatchObject([{ id: 'sample-scam-shops', status: 'failing' }]);
    expect(unfresh[0]?.records).toBeGreaterThan(1_000);
  });

  test('a second start says that one is running, and where', async () => {
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.said()).toContain(`A demonstration runs already: ${url}`);
  });

  test('Ctrl-C leaves no process, database, key or folder behind', async () => {
    const family = familyOf(demo.child.pid ?? 0);
    // At least five processes: the demonstration, the API with its listener and replicator, and the worker.
    expect(family.length).toBeGreaterThanOrEqual(5);
    expect(await databaseExists(POSTGRES, DATABASE)).toBe(true);
    expect(await countKeys(REDIS, PREFIX)).toBeGreaterThan(0);
    demo.child.kill('SIGINT');
    expect(await demo.ended, demo.said()).toBe(0);
    expect(family.filter(isAlive)).toEqual([]);
    expect(await databaseExists(POSTGRES, DATABASE)).toBe(false);
    expect(await countKeys(REDIS, PREFIX)).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
    process.stdout.write(`${demo.said().match(/ready after [\d.]+ s/)?.[0]}\n`);
  });
});

const mayUnshare = process.getuid?.() === 0;
/** When the start is interrupted: in the short lane once Redis runs, as a proof while the API runs and lists are built. */
const UNTIL = bySize(`grep -q 'Redis started' "$said"`, `grep -q 'work of an organization loaded' "$said"`);

describe.runIf(mayUnshare)('on a machine without engines', () => {
  test(
    'starts its own, says what to do about a server that was named and is not there, and removes all of it',
    async () => {
      // The script runs in its own network namespace, where nothing listens on the loopback.
      const script = `ip link set lo up
      DATABASE_URL=postgres://127.0.0.1:5432 node ${MAIN} --no-build --name ${NAME}; echo "named: $?"
      unset DATABASE_URL REDIS_URL
      said=$(mktemp)
      node ${MAIN} --no-build --name ${NAME} >"$said" & demo=$!
      for _ in $(seq 1200); do
        ${UNTIL} && break
        kill -0 $demo || break
        sleep 0.5
      done
      kill -INT $demo; wait $demo; own=$?; cat "$said"; rm "$said"; echo "own: $own"`;
      const said = execFileSync('unshare', ['-n', 'bash', '-c', `exec 2>&1\n${script}`], {
        env: { ...env, PATH: `${join(process.execPath, '..')}:${process.env.PATH}` },
        encoding: 'utf8',
        timeout: READY_WITHIN_MS,
      });
      expect(said).toContain('DATABASE_URL is set, but that server cannot be used');
      expect(said).toContain('named: 1');
      expect(said).toContain('PostgreSQL started, Redis started');
      expect(said).toContain('own: 0');
      expect(readdirSync(temporary)).toEqual([]);
    },
    READY_WITHIN_MS + 100_000,
  );
});
