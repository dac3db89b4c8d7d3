import { type ChildProcess, fork } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { loadConfig } from '../server/src/platform/config.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { freePort } from '../server/test/support/eventually.ts';
import { cpuSecondsOf, type Service, startService } from '../server/test/support/service.ts';
import { randomNumbers } from './support/random-numbers.ts';
import { type CheckResults, withCheckFigures } from './support/scale-page.ts';
import { type WrkResult, writeWrkScript, wrk } from './support/wrk.ts';

/**
 * npm run bench:check -- [--seconds 5] [--rounds 9] [--entries 100000] [--only check-listed]
 * GET /check at `standard` as shipped (no live lookups), and with LIVE_PROVIDERS=dns and a name server that never
 * answers, beside bare Fastify with the same Redis call, headers, body and log line. All of them run in turns, so that
 * a noisy machine slows them alike. The figure is requests per CPU-second of the answering process.
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '9' },
    entries: { type: 'string', default: '100000' },
    'warm-up': { type: 'string', default: '15' },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const seconds = Number(flags.seconds);
const rounds = Number(flags.rounds);
/** The JIT compiler still works ten seconds after a server's first request; that must not be measured. */
const warmUpS = Number(flags['warm-up']);
const LISTS = 4;
const TARGETS = 1_000;
/** New names that are checked one after the other while the name server is silent, before anything is warm. */
const FIRST_CHECKS = 40;
/** A check that takes longer than this has waited for the name server: the wait is 250 ms. */
const WAITED_MS = 150;
const LIMITS = { burstPerMinute: 1_000_000_000, checksPerMonth: 1_000_000_000 };
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-check-'));
const database = new URL(loadConfig().DATABASE_URL);
database.pathname = `/assay_bench_check_${process.pid}`;

/** An empty variable is absent: what tests set differently has the default that ships. */
const SHIPPED = {
  ASSAY_ENV: '',
  LIVE_PROVIDERS: '',
  SHED_DELAY_FACTOR: '',
  POSTGRES_WAIT_FACTOR: '',
  POSTGRES_POOL_MAX: '',
  REDIS_TIMEOUT_MS: '',
};

type Scenario = { readonly name: string; readonly values: readonly string[] };
type Side = { readonly name: string; readonly url: string; readonly pid: number };
type Round = WrkResult & { readonly perCpuSecond: number; readonly cpuUs: number };

/** Half of the values are listed: exactly by two lists, and a third of the addresses by a range too. */
function writeLists(): { readonly files: readonly string[]; readonly scenarios: readonly Scenario[] } {
  const next = randomNumbers(7);
  const address = () => `${11 + (next() % 80)}.${next() % 256}.${next() % 256}.${1 + (next() % 254)}`;
  const name = () => `host-${next() % 1_000}.site-${next() % 10_000_000}.com`;
  const lists: string[][] = Array.from({ length: LISTS }, () => []);
  const addresses: string[] = [];
  const names: string[] = [];
  for (let i = 0; i < Number(flags.entries); i += 1) {
    const value = i % 2 === 0 ? address() : name();
    lists[i % LISTS]?.push(value);
    lists[(i + 1) % LISTS]?.push(value);
    if (i % 6 === 0) lists[(i + 2) % LISTS]?.push(value.replace(/\.\d+$/, '.0/24'));
    const some = i % 2 === 0 ? addresses : names;
    if (some.length < TARGETS) some.push(value);
  }
  const files = lists.map((lines, index) => {
    const file = join(folder, `list-${index}.txt`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  });
  const scenarios = [
    // Only names are asked of name servers, so they show what a silent one costs.
    { name: 'check-listed', values: names },
    { name: 'check-unlisted', values: names.map(() => name()) },
    { name: 'check-addresses', values: addresses.flatMap((ip) => [ip, address()]) },
  ];
  return { files, scenarios };
}

async function measure(side: Side, script: string): Promise<Round> {
  const before = cpuSecondsOf(side.pid);
  const result = await wrk(side.url, script, seconds);
  const cpuS = cpuSecondsOf(side.pid) - before;
  if (result.notOk > 0 || result.errors > 0)
    throw new Error(`${side.name}: ${result.notOk} answers were not 200 and ${result.errors} failed.`);
  if (flags.verbose)
    say(
      `  ${side.name}: ${((cpuS * 1e6) / result.requests).toFixed(1)} us, ${Math.round(result.requestsPerSecond)} requests/s`,
    );
  return { ...result, perCpuSecond: result.requests / cpuS, cpuUs: (cpuS * 1e6) / result.requests };
}

const figure = (side: readonly Round[]) => ({
  cpuUs: Number(median(side.map((r) => r.cpuUs)).toFixed(1)),
  perCpuSecond: Math.round(median(side.map((r) => r.perCpuSecond))),
  requestsPerSecond: Math.round(median(side.map((r) => r.requestsPerSecond))),
  p50Ms: median(side.map((r) => r.p50Ms)),
  p99Ms: median(side.map((r) => r.p99Ms)),
});

/** The median of the ratios of rounds next to each other in time, because a shared machine drifts; and their range. */
function ratioOf(name: string, some: readonly Round[], others: readonly Round[]) {
  const pairs = some
    .map((mine, i) => mine.perCpuSecond / (others[i]?.perCpuSecond ?? Number.NaN))
    .toSorted((a, b) => a - b);
  const ratio = Number(median(pairs).toFixed(3));
  say(`ratio ${name} ${ratio}`);
  say(`  rounds from ${pairs[0]?.toFixed(3)} to ${pairs.at(-1)?.toFixed(3)}`);
  return ratio;
}

async function race(name: string, sides: { readonly default: Side; readonly silent: Side; bare: Side }) {
  const script = join(folder, `${name}.lua`);
  const seen = { default: [] as Round[], silent: [] as Round[], bare: [] as Round[] };
  const order = ['default', 'silent', 'bare'] as const;
  for (const side of order) await wrk(sides[side].url, script, warmUpS);
  for (let i = 0; i < rounds; i += 1)
    for (const side of order) seen[side].push(await measure(sides[side], script));
  const result = { default: figure(seen.default), silent: figure(seen.silent), bare: figure(seen.bare) };
  for (const [side, f] of Object.entries(result))
    say(
      `${name} ${side}: ${f.cpuUs} us CPU a request, ${f.requestsPerSecond} requests/s, p50 ${f.p50Ms} ms, p99 ${f.p99Ms} ms`,
    );
  const ratios = {
    ratio: ratioOf(name, seen.default, seen.bare),
    silentRatio: ratioOf(`${name}-silent-dns`, seen.silent, seen.bare),
    silentToDefault: ratioOf(`${name}-silent-dns-to-default`, seen.silent, seen.default),
  };
  return { ...ratios, ...result };
}

async function startBare(service: Service, spec: object): Promise<{ side: Side; child: ChildProcess }> {
  const port = await freePort();
  const file = join(folder, 'floor.json');
  writeFileSync(file, JSON.stringify({ ...spec, port }));
  const out = openSync(join(folder, 'floor.log'), 'a');
  const child = fork(join(import.meta.dirname, 'bare-check.ts'), [file], {
    env: { PATH: process.env.PATH, ...service.env },
    stdio: ['ignore', out, out, 'ipc'],
  });
  closeSync(out);
  await new Promise((resolve, reject) => child.once('message', resolve).once('exit', reject));
  return { side: { name: 'bare', url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 }, child };
}

/** Every process looks for newer lists and reference data now and then, with or without requests. */
const IDLE_MS = 30_000;
/** How much more than the idle rate is still the same rate: looks of different periods do not come evenly. */
const IDLE_MARGIN = 1.5;

/** Statements of the request pool: warm requests may not add any. */
async function requestQueries(service: Service): Promise<number> {
  const page = await (await fetch(service.metricsUrl)).text();
  const counts = page.matchAll(/assay_postgres_queries_total\{process="[\w-]+",role="assay_app"\} (\d+)/g);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

const pathOf = (value: string): string => `/check?query=${value}`;
async function check(service: Service, key: string, value: string) {
  const startedMs = performance.now();
  const response = await fetch(`${service.url}${pathOf(value)}`, { headers: { 'X-API-KEY': key } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return { text, headers: response.headers, ms: performance.now() - startedMs };
}

/** What callers wait while nothing is known of the name server yet, and after its breaker has opened. */
async function firstChecks(silent: Service, key: string) {
  await check(silent, key, '192.0.2.1');
  const waits: number[] = [];
  for (let i = 0; i < FIRST_CHECKS; i += 1)
    waits.push((await check(silent, key, `first-${i}.example-${i}.com`)).ms);
  const again = (await check(silent, key, 'first-0.example-0.com')).ms;
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  const opened: number[] = [];
  for (let i = 0; i < FIRST_CHECKS; i += 1)
    opened.push((await check(silent, key, `later-${i}.example-${i}.com`)).ms);
  const told = {
    checks: FIRST_CHECKS,
    waited: waits.filter((ms) => ms > WAITED_MS).length,
    longestMs: Math.round(Math.max(...waits)),
    sameNameAgainMs: Math.round(again),
    waitedLater: opened.filter((ms) => ms > WAITED_MS).length,
    longestLaterMs: Math.round(Math.max(...opened)),
  };
  say(
    `silent name server, ${told.checks} new names one by one: ${told.waited} waited, longest ${told.longestMs} ms; the first name again ${told.sameNameAgainMs} ms; once the breaker is open ${told.waitedLater} of ${told.checks} waited, longest ${told.longestLaterMs} ms`,
  );
  return told;
}

type Key = { readonly header: string; readonly accountId: string };

async function runScenario({ name, values }: Scenario, services: Services, key: Key) {
  const bodies: Record<string, object> = {};
  let headers: [string, string][] = [];
  let bytes = 0;
  for (const value of values) {
    const { text, headers: sent } = await check(services.default, key.header, value);
    bytes += text.length;
    bodies[pathOf(value)] = JSON.parse(text) as object;
    headers = [...sent].filter(([header]) => /^(x-content|referrer|cache|vary|access)/.test(header));
  }
  const { burstPerMinute: burstLimit, checksPerMonth: monthLimit } = LIMITS;
  const spec = { account: `${key.accountId}-bare`, burstLimit, monthLimit, headers, bodies };
  const { side: bare, child } = await startBare(services.default, spec);
  writeWrkScript(join(folder, `${name}.lua`), values.map(pathOf), key.header);
  const sideOf = (side: keyof Services): Side => {
    const { url, listenerPids } = services[side];
    return { name: side, url, pid: listenerPids()[0] ?? 0 };
  };
  const idleBefore = await requestQueries(services.default);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const before = await requestQueries(services.default);
  const idleRate = (before - idleBefore) / IDLE_MS;
  const startedMs = performance.now();
  const result = await race(name, { default: sideOf('default'), silent: sideOf('silent'), bare });
  const touched = (await requestQueries(services.default)) - before;
  const polls = Math.ceil((performance.now() - startedMs) * idleRate * IDLE_MARGIN) + 1;
  say(
    `${name}: mean body ${Math.round(bytes / values.length)} bytes; statements of the request pool: ${touched}, an idle service makes at most ${polls} in that time; log ${statSync(services.default.logFile).size} bytes`,
  );
  if (touched > polls) {
    say(`FAILED: PostgreSQL was asked ${touched} times on warm requests.`);
    process.exitCode = 1;
  }
  child.disconnect();
  return result;
}

type Services = { readonly default: Service; readonly silent: Service };

async function startServices(dnsServer: string, files: readonly string[]): Promise<Services & { key: Key }> {
  const shipped = await startService({ databaseUrl: database.href, env: SHIPPED });
  for (const [index, file] of files.entries()) await shipped.admin('feeds', 'import', `bench-${index}`, file);
  const limits = JSON.stringify(LIMITS);
  const mail = 'check@example.com';
  const key = await shipped.admin<Key>(
    'key',
    'create',
    '--email',
    mail,
    '--plan',
    'ENTERPRISE',
    '--limits',
    limits,
  );
  const live = { ...SHIPPED, LIVE_PROVIDERS: 'dns', DNS_SERVERS: dnsServer };
  const silent = await startService({ databaseUrl: database.href, env: live });
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  return { default: shipped, silent, key };
}

/** Keeps the figures, and writes those that the documents quote into them. */
function store(figures: object): void {
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'check.json'), `${JSON.stringify(figures, null, 2)}\n`);
  const page = join(import.meta.dirname, '../docs/operating/scale.md');
  writeFileSync(page, withCheckFigures(readFileSync(page, 'utf8'), figures as CheckResults));
}

/** It reads every question and answers none. */
const blackHole = createSocket('udp4').on('message', () => undefined);
blackHole.bind(0, '127.0.0.1');
await once(blackHole, 'listening');
let services: (Services & { key: Key }) | null = null;
try {
  await migrate(database.href);
  const { files, scenarios } = writeLists();
  const loadBefore = loadavg()[0]?.toFixed(2);
  services = await startServices(`127.0.0.1:${blackHole.address().port}`, files);
  const silentNameServer = await firstChecks(services.silent, services.key.header);
  const results: Record<string, object> = {};
  const asked = scenarios.filter(({ name }) => flags.only === undefined || name === flags.only);
  for (const scenario of asked) results[scenario.name] = await runScenario(scenario, services, services.key);
  say(`load of the machine before the run ${loadBefore}; ${cpus().length} cores`);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version, loadBefore };
  // A partial run is not stored: its figures would be mixed with those of another day.
  if (flags.only === undefined) store({ machine, seconds, rounds, silentNameServer, ...results });
} finally {
  blackHole.close();
  await Promise.all([services?.default.stop(), services?.silent.stop()]);
  const client = new pg.Client({ connectionString: new URL('/postgres', database).href });
  await client.connect();
  await client.query(`drop database if exists "${database.pathname.slice(1)}" with (force)`);
  await client.end();
  rmSync(folder, { recursive: true, force: true });
}
