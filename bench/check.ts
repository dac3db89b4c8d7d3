import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { loadConfig } from '../server/src/platform/config.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { freePort } from '../server/test/support/eventually.ts';
import { cpuSecondsOf, type Service, startService } from '../server/test/support/service.ts';
import { randomNumbers } from './support/random-numbers.ts';
import { type WrkResult, writeWrkScript, wrk } from './support/wrk.ts';

/**
 * npm run bench:check -- [--seconds 5] [--rounds 9] [--entries 100000] [--only check-standard]
 * GET /check at `standard` and at `basic`, authenticated and metered, beside bare Fastify with the same Redis call,
 * headers, body and log line. Both run in turns. The figure is requests per CPU-second of the answering process.
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '9' },
    entries: { type: 'string', default: '100000' },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const seconds = Number(flags.seconds);
const rounds = Number(flags.rounds);
const LISTS = 4;
const TARGETS = 2_000;
/** The JIT compiler still works ten seconds after a server's first request; that must not be measured. */
const WARM_UP_S = 15;
const LIMITS = { burstPerMinute: 1_000_000_000, checksPerMonth: 1_000_000_000 };
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-check-'));
const database = new URL(loadConfig().DATABASE_URL);
database.pathname = `/assay_bench_check_${process.pid}`;

const LEVELS: readonly Level[] = [
  { name: 'check-standard', enrichment: 'standard', logLevel: 'info' },
  { name: 'check-basic', enrichment: 'basic', logLevel: 'info' },
  { name: 'check-basic-nolog', enrichment: 'basic', logLevel: 'error' },
];

type Side = { readonly name: string; readonly url: string; readonly pid: number };
type Round = WrkResult & { readonly perCpuSecond: number; readonly cpuUs: number };

/** Half of the targets are listed: exactly by two lists, and a third of those by a range too. */
function writeLists(): { files: string[]; targets: string[] } {
  const next = randomNumbers(7);
  const address = () => `${11 + (next() % 80)}.${next() % 256}.${next() % 256}.${1 + (next() % 254)}`;
  const lists: string[][] = Array.from({ length: LISTS }, () => []);
  const listed: string[] = [];
  for (let i = 0; i < Number(flags.entries); i += 1) {
    const ip = address();
    lists[i % LISTS]?.push(ip);
    lists[(i + 1) % LISTS]?.push(ip);
    if (i % 3 === 0) lists[(i + 2) % LISTS]?.push(ip.replace(/\.\d+$/, '.0/24'));
    if (listed.length < TARGETS / 2) listed.push(ip);
  }
  const files = lists.map((lines, index) => {
    const file = join(folder, `list-${index}.txt`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  });
  return { files, targets: listed.flatMap((ip) => [ip, address()]) };
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

async function race(name: string, ours: Side, bare: Side, script: string) {
  const seen: { ours: Round[]; bare: Round[] } = { ours: [], bare: [] };
  for (const side of [ours, bare]) await wrk(side.url, script, WARM_UP_S);
  for (let i = 0; i < rounds; i += 1) {
    seen.ours.push(await measure(ours, script));
    seen.bare.push(await measure(bare, script));
  }
  const figure = (side: readonly Round[]) => ({
    cpuUs: Number(median(side.map((r) => r.cpuUs)).toFixed(1)),
    perCpuSecond: Math.round(median(side.map((r) => r.perCpuSecond))),
    requestsPerSecond: Math.round(median(side.map((r) => r.requestsPerSecond))),
    p50Ms: median(side.map((r) => r.p50Ms)),
    p99Ms: median(side.map((r) => r.p99Ms)),
  });
  const result = { ours: figure(seen.ours), bare: figure(seen.bare) };
  // Ratios of rounds next to each other in time, because the speed of a shared machine drifts from minute to minute.
  const pairs = seen.ours.map((mine, i) => mine.perCpuSecond / (seen.bare[i]?.perCpuSecond ?? Number.NaN));
  const ratio = Number(median(pairs).toFixed(3));
  for (const [side, f] of Object.entries(result))
    say(
      `${name} ${side}: ${f.cpuUs} us CPU a request, ${f.requestsPerSecond} requests/s, p50 ${f.p50Ms} ms, p99 ${f.p99Ms} ms`,
    );
  say(`ratio ${name} ${ratio}`);
  return { ratio, ...result };
}

async function startBare(
  service: Service,
  spec: object,
  logLevel: string,
): Promise<{ side: Side; child: ChildProcess }> {
  const port = await freePort();
  const file = join(folder, `floor-${logLevel}.json`);
  writeFileSync(file, JSON.stringify({ ...spec, port }));
  const out = openSync(join(folder, `floor-${logLevel}.log`), 'a');
  const child = fork(join(import.meta.dirname, 'bare-check.ts'), [file], {
    env: { PATH: process.env.PATH, ...service.env, LOG_LEVEL: logLevel },
    stdio: ['ignore', out, out, 'ipc'],
  });
  closeSync(out);
  await new Promise((resolve, reject) => child.once('message', resolve).once('exit', reject));
  return { side: { name: 'bare', url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 }, child };
}

/** Every process polls for newer reference data this often, with or without requests. */
const REFERENCE_POLL_S = 15;

/** Statements of the request pool: warm requests may not add any. */
async function requestQueries(service: Service): Promise<number> {
  const page = await (await fetch(service.metricsUrl)).text();
  return Number(/assay_postgres_queries_total\{role="assay_app"\} (\d+)/.exec(page)?.[1] ?? 0);
}

type Level = {
  readonly name: string;
  readonly enrichment: 'basic' | 'standard';
  readonly logLevel: 'info' | 'error';
};

async function runLevel({ name, enrichment, logLevel }: Level) {
  const service = await startService({
    databaseUrl: database.href,
    env: { LOG_LEVEL: logLevel, ASSAY_ENV: 'development' },
  });
  try {
    const { files, targets } = writeLists();
    for (const [index, file] of files.entries())
      await service.admin('feeds', 'import', `bench-${index}`, file);
    const key = await service.admin<{ header: string; accountId: string }>(
      'key',
      'create',
      '--email',
      `${name}@example.com`,
      '--plan',
      'ENTERPRISE',
      '--limits',
      JSON.stringify(LIMITS),
    );
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const paths = targets.map((ip) => `/check?query=${ip}&enrichment=${enrichment}`);
    const bodies: Record<string, object> = {};
    let headers: [string, string][] = [];
    let bytes = 0;
    for (const path of paths) {
      const response = await fetch(`${service.url}${path}`, { headers: { 'X-API-KEY': key.header } });
      const text = await response.text();
      if (response.status !== 200) throw new Error(text);
      bytes += text.length;
      bodies[path] = JSON.parse(text) as object;
      headers = [...response.headers].filter(([header]) =>
        /^(x-content|referrer|cache|vary|access)/.test(header),
      );
    }
    const spec = {
      account: `${key.accountId}-bare`,
      burstLimit: LIMITS.burstPerMinute,
      monthLimit: LIMITS.checksPerMonth,
      headers,
      bodies,
    };
    const { side: bare, child } = await startBare(service, spec, logLevel);
    const script = join(folder, `${name}.lua`);
    writeWrkScript(script, paths, key.header);
    const ours: Side = { name: 'ours', url: service.url, pid: service.listenerPids()[0] ?? 0 };
    const before = await requestQueries(service);
    const startedMs = performance.now();
    const result = await race(name, ours, bare, script);
    const touched = (await requestQueries(service)) - before;
    const polls = Math.ceil((performance.now() - startedMs) / 1_000 / REFERENCE_POLL_S);
    say(
      `${name}: mean body ${Math.round(bytes / paths.length)} bytes; statements of the request pool: ${touched}, of which polls at most ${polls}; log ${statSync(service.logFile).size} bytes`,
    );
    if (touched > polls) throw new Error(`PostgreSQL was asked ${touched} times on warm requests.`);
    child.disconnect();
    return result;
  } finally {
    await service.stop();
  }
}

try {
  await migrate(database.href);
  const results: Record<string, object> = {};
  const asked = LEVELS.filter(({ name }) => flags.only === undefined || name === flags.only);
  for (const level of asked) results[level.name] = await runLevel(level);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
  // A partial run is not stored: its figures would be mixed with those of another day.
  if (flags.only === undefined)
    writeFileSync(
      join(import.meta.dirname, 'results/check.json'),
      `${JSON.stringify({ machine, seconds, rounds, ...results }, null, 2)}\n`,
    );
} finally {
  const client = new pg.Client({ connectionString: new URL('/postgres', database).href });
  await client.connect();
  await client.query(`drop database if exists "${database.pathname.slice(1)}" with (force)`);
  await client.end();
  rmSync(folder, { recursive: true, force: true });
}
