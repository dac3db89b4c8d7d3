import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { type HangingUpstreams, startHangingUpstreams } from '#test/hanging-upstreams.ts';
import { keepResult } from '#test/proof-results.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';

/** Every upstream hangs for ten minutes, and callers must not notice it otherwise (reliability A4). */
const HANGING_S = 600;
const PER_SECOND = { basic: 25, standard: 6, full: 1 };
/** 250 ms of waiting, and the rest for two busy cores. */
const STANDARD_MAX_MS = 2_000;
/** Slowdown of `basic` compared with a service without live lookups, under the same load at the same time. */
const SLOWER_MAX_MS = { p50: 2, p99: 10 };
/** Bulkhead places of all providers used here (156), callers and engines, times two. */
const SOCKETS_MAX = 500;
const RSS_GROWTH_MAX_BYTES = 96 * 1024 * 1024;
/**
 * The longest pause of a breaker is one minute; an upstream that takes 15 s to fail takes as long to be
 * detected.
 */
const HEALED_WITHIN_MS = 150_000;
/** Providers whose breaker must open. Certificate logs take longest: 45 s for ten failures in 4 places of 15 s each. */
const OPENED = ['addresses', 'dns', 'rdap', 'internetdb', 'otx', 'scanner', 'ct'];

type Level = keyof typeof PER_SECOND;
type Answered = {
  readonly status: number;
  readonly ms: number;
  readonly missing: readonly string[];
  readonly message: string | undefined;
};

let database: TestDatabase;
let live: Service;
let quiet: Service;
let accounts: ServiceAccounts;
let credential: string;
let peers: HangingUpstreams;

beforeAll(async () => {
  database = await createTestDatabase();
  peers = await startHangingUpstreams();
  peers.hang();
  [live, quiet] = await Promise.all([
    startService({ databaseUrl: database.url, env: peers.env }),
    startService({ databaseUrl: database.url }),
  ]);
  accounts = openAccounts(live);
  ({ credential } = await accounts.newAccount('desk@example.com', { plan: 'ENTERPRISE' }));
  await eventually('the other service knows the key', 10_000, async () => {
    const response = await fetch(`${quiet.url}/check`, { headers: { 'X-API-KEY': credential } });
    return response.status === 200;
  });
});
afterAll(async () => {
  await accounts?.close();
  await Promise.all([live?.stop(), quiet?.stop()]);
  await peers?.close();
  await database?.drop();
});

const LINES_MAX = 16;
let lines = 0;
/**
 * Never repeats a subject, so that no answer is cached and every upstream is asked. Each series of requests
 * has its own counter: with one counter for all, the order of arrival decided whether names or addresses went
 * to `full`, and the name servers, which only `full` asks, were at times hardly asked.
 */
function newSubjects(): () => string {
  const line = lines++;
  let asked = 0;
  return () => {
    asked += 1;
    const id = asked * LINES_MAX + line;
    const host = asked % 2 === 0 ? `site-${id}.com` : `45.${id % 256}.${(id >> 8) % 256}.${(id >> 16) % 256}`;
    return asked % 5 === 0 ? `https://${host}/page` : host;
  };
}
const healthy = newSubjects();

async function check(service: Service, level: Level, subject: string): Promise<Answered> {
  const startedMs = performance.now();
  const response = await fetch(
    `${service.url}/check?enrichment=${level}&query=${encodeURIComponent(subject)}`,
    { headers: { 'X-API-KEY': credential } },
  );
  const body = (await response.json()) as {
    readonly message?: string;
    readonly dataTrust?: { readonly completeness?: { readonly missing?: string[] } } | null;
  };
  return {
    status: response.status,
    ms: performance.now() - startedMs,
    missing: body.dataTrust?.completeness?.missing ?? [],
    message: body.message,
  };
}

/** Sends at a fixed rate until the time is over, without waiting for answers. */
async function load(service: Service, level: Level, seconds: number): Promise<readonly Answered[]> {
  const everyMs = 1_000 / PER_SECOND[level];
  const startedMs = performance.now();
  const next = newSubjects();
  const under: Promise<Answered>[] = [];
  for (let sent = 0; sent * everyMs < seconds * 1_000; sent += 1) {
    await sleep(Math.max(0, startedMs + sent * everyMs - performance.now()));
    under.push(check(service, level, next()));
  }
  return Promise.all(under);
}

type Sample = { readonly sockets: number; readonly rss: number };

const listenerOf = (service: Service): number => service.listenerPids()[0] ?? 0;
function sampleOf(pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    sockets: readdirSync(`/proc/${pid}/fd`).length,
    rss: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024,
  };
}

async function watch(pid: number, seconds: number): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (let second = 0; second < seconds; second += 1) {
    samples.push(sampleOf(pid));
    await sleep(1_000);
  }
  return samples;
}

async function openBreakers(): Promise<ReadonlySet<string>> {
  const page = await (await fetch(live.metricsUrl)).text();
  const found = page.matchAll(/^assay_live_breakers_open\{process="[\w-]+",provider="(\w+)"\} ([1-9]\d*)$/gm);
  return new Set([...found].map(([, provider = '']) => provider));
}

const percentile = (answers: readonly Answered[], share: number): number =>
  answers.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor((answers.length - 1) * share)] ?? Number.NaN;
const largest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), 0);
const meanRss = (samples: readonly Sample[]): number =>
  samples.reduce((sum, { rss }) => sum + rss, 0) / Math.max(1, samples.length);

test('every upstream hangs: basic is unaffected, standard answers in 2 s and names the missing facts, and all recover', async () => {
  await Promise.all([live, quiet].map((service) => load(service, 'basic', 3)));
  const startedMs = performance.now();
  const openedS = new Map<string, number>();
  let isOver = false;
  const breakers = (async () => {
    while (!isOver) {
      for (const provider of await openBreakers())
        if (!openedS.has(provider)) openedS.set(provider, (performance.now() - startedMs) / 1_000);
      await sleep(1_000);
    }
  })();
  const [samples, basic, bare, standard, full] = await Promise.all([
    watch(listenerOf(live), HANGING_S),
    load(live, 'basic', HANGING_S),
    load(quiet, 'basic', HANGING_S),
    load(live, 'standard', HANGING_S),
    load(live, 'full', HANGING_S),
    load(quiet, 'standard', HANGING_S),
    load(quiet, 'full', HANGING_S),
  ]);
  isOver = true;
  await breakers;

  const quarter = Math.ceil(samples.length / 4);
  const growth = meanRss(samples.slice(-quarter)) - meanRss(samples.slice(quarter, 2 * quarter));
  keepResult('live-hanging', {
    seconds: HANGING_S,
    checks: basic.length + standard.length + full.length,
    basicP50Ms: percentile(basic, 0.5),
    bareP50Ms: percentile(bare, 0.5),
    basicP99Ms: percentile(basic, 0.99),
    bareP99Ms: percentile(bare, 0.99),
    standardP50Ms: percentile(standard, 0.5),
    standardMaxMs: largest(standard.map(({ ms }) => ms)),
    fullMaxMs: largest(full.map(({ ms }) => ms)),
    descriptorsMax: largest(samples.map(({ sockets }) => sockets)),
    rssMaxMiB: largest(samples.map(({ rss }) => rss)) / 1_048_576,
    rssGrowthMiB: growth / 1_048_576,
    ...Object.fromEntries([...openedS].map(([provider, seconds]) => [`${provider}OpenedS`, seconds])),
  });

  const answers = [...basic, ...standard, ...full];
  expect(answers.flatMap(({ status, message }) => (status === 200 ? [] : [`${status} ${message}`]))).toEqual(
    [],
  );
  expect(largest(standard.map(({ ms }) => ms))).toBeLessThanOrEqual(STANDARD_MAX_MS);
  expect(standard.filter(({ missing }) => missing.length === 0)).toEqual([]);
  expect(percentile(basic, 0.5)).toBeLessThanOrEqual(percentile(bare, 0.5) + SLOWER_MAX_MS.p50);
  expect(percentile(basic, 0.99)).toBeLessThanOrEqual(percentile(bare, 0.99) + SLOWER_MAX_MS.p99);
  expect(largest(samples.map(({ sockets }) => sockets))).toBeLessThanOrEqual(SOCKETS_MAX);
  expect(growth).toBeLessThanOrEqual(RSS_GROWTH_MAX_BYTES);
  expect([...openedS.keys()].sort()).toEqual(expect.arrayContaining([...OPENED].sort()));

  peers.heal();
  const healedMs = await eventually('every breaker is closed', HEALED_WITHIN_MS, async () => {
    await Promise.all([
      check(live, 'standard', healthy()),
      check(live, 'standard', healthy()),
      check(live, 'full', healthy()),
      check(live, 'full', healthy()),
    ]);
    return (await openBreakers()).size === 0;
  });
  keepResult('live-hanging-healed', { healedS: healedMs / 1_000 });
  const well = await check(live, 'standard', 'healthy-again.com');
  expect(well.ms).toBeLessThan(STANDARD_MAX_MS);
  expect(well.missing).not.toContain('certificates');
});
