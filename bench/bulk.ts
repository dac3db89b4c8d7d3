import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { systemClock } from '../server/src/platform/clock.ts';
import { loadConfig } from '../server/src/platform/config.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { asSystem } from '../server/src/platform/postgres.ts';
import { freePort } from '../server/test/support/eventually.ts';
import { cpuSecondsOf, type Service, startService } from '../server/test/support/service.ts';
import {
  DATA_AT_S,
  type GeneratedKind,
  kindOf,
  loadGeneratedCorpus,
  textOf,
} from './support/generated-corpus.ts';

/**
 * npm run bench:bulk -- [--seconds 4] [--rounds 7] [--entries 100000]
 * POST /bulk/check with 500 entities (40 % listed addresses, 30 % listed domains, 10 % listed hashes, 20 % unlisted),
 * every row with its evidence, beside bare Fastify that does the lookups and sends the same rows. Both run in turns.
 * The figures are CPU of the answering process per request, and the delay of its event loop under mixed checks and
 * batches.
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '7' },
    entries: { type: 'string', default: '100000' },
    verbose: { type: 'boolean', default: false },
  },
});
const seconds = Number(flags.seconds);
const rounds = Number(flags.rounds);
const entries = Number(flags.entries);
const BATCHES = 16;
const BATCH = 500;
const SHARES: readonly (readonly [kind: GeneratedKind, listed: boolean, count: number])[] = [
  ['ipv4', true, 200],
  ['domain', true, 150],
  ['hash', true, 50],
  ['ipv4', false, 50],
  ['domain', false, 50],
];
/** Enough to keep the answering process busy, few enough that it never sheds load. */
const IN_FLIGHT = 4;
const CHECKS_IN_FLIGHT = 32;
const WARM_UP_S = 8;
const SHED_PAUSE_MS = 200;
/** Subtracted from each lag, because the histogram of prom-client includes the whole interval of its timer. */
const LAG_RESOLUTION_MS = 10;
const LIMITS = { burstPerMinute: 1_000_000_000, checksPerMonth: 1_000_000_000_000 };
const clock = systemClock();
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-bulk-'));
const config = loadConfig();
const database = new URL(config.DATABASE_URL);
database.pathname = `/assay_bench_bulk_${process.pid}`;

type Batch = { readonly entities: readonly string[]; readonly body: string };
type Side = { readonly name: string; readonly url: string; readonly pid: number };
type Load = { readonly requests: number; readonly cpuMs: number; readonly p99Ms: number };

/** Batches with kinds mixed as in a log. An index of `entries` or more gives an indicator that is not listed. */
function makeBatches(): Batch[] {
  const cursors = SHARES.map(([, listed]) => (listed ? 0 : entries));
  return Array.from({ length: BATCHES }, () => {
    const entities = SHARES.flatMap(([kind, , count], share) =>
      Array.from({ length: count }, () => {
        let index = cursors[share] ?? 0;
        while (kindOf(index) !== kind) index += 1;
        cursors[share] = index + 1;
        return textOf(index);
      }),
    );
    const mixed = entities.map((_, i) => entities[(i * 7) % BATCH] ?? '');
    return { entities: mixed, body: JSON.stringify({ entities: mixed }) };
  });
}

/** The generated dates are of one past day, at which age listings no longer count, so all of them move to today. */
async function loadCorpus(): Promise<void> {
  const system = asSystem({ ...config, DATABASE_URL: database.href, POSTGRES_POOL_MAX: 2 });
  await loadGeneratedCorpus({ system, clock, databaseUrl: database.href }, entries);
  await system.close();
  const owner = new pg.Client({ connectionString: database.href });
  await owner.connect();
  const moved = `interval '${Math.floor(clock.now() / 1_000) - DATA_AT_S - 3_600} seconds'`;
  await owner.query(`update listing set first_seen = first_seen + ${moved}, last_seen = last_seen + ${moved},
      listed_from = listed_from + ${moved};
    update source set data_at = data_at + ${moved}, last_fetch_at = last_fetch_at + ${moved}`);
  await owner.end();
}

const post = (url: string, header: string, body: string): Promise<Response> =>
  fetch(`${url}/bulk/check`, {
    method: 'POST',
    headers: { 'X-API-KEY': header, 'Content-Type': 'application/json' },
    body,
  });

async function drive(
  inFlight: number,
  durationS: number,
  ask: (n: number) => Promise<Response>,
): Promise<readonly number[]> {
  const untilMs = clock.monotonic() + durationS * 1_000;
  const latencies: number[] = [];
  let n = 0;
  const client = async (): Promise<void> => {
    while (clock.monotonic() < untilMs) {
      n += 1;
      const startMs = clock.monotonic();
      const response = await ask(n);
      await response.arrayBuffer();
      if (response.status === 503) {
        // On a shared machine the service may shed load; such an answer did no work and is not counted.
        await sleep(SHED_PAUSE_MS);
        continue;
      }
      if (!response.ok) throw new Error(`The answer was ${response.status}.`);
      latencies.push(clock.monotonic() - startMs);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  return latencies.sort((a, b) => a - b);
}

async function measure(side: Side, header: string, batches: readonly Batch[]): Promise<Load> {
  const before = cpuSecondsOf(side.pid);
  const latencies = await drive(IN_FLIGHT, seconds, (n) =>
    post(side.url, header, batches[n % BATCHES]?.body ?? ''),
  );
  const cpuMs = ((cpuSecondsOf(side.pid) - before) * 1_000) / latencies.length;
  const p99Ms = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
  if (flags.verbose) say(`  ${side.name}: ${cpuMs.toFixed(2)} ms CPU, ${latencies.length} requests`);
  return { requests: latencies.length, cpuMs, p99Ms };
}

async function race(ours: Side, bare: Side, header: string, batches: readonly Batch[]) {
  const seen: { ours: Load[]; bare: Load[] } = { ours: [], bare: [] };
  for (const { url } of [ours, bare])
    await drive(IN_FLIGHT, WARM_UP_S, (n) => post(url, header, batches[n % BATCHES]?.body ?? ''));
  for (let i = 0; i < rounds; i += 1) {
    seen.ours.push(await measure(ours, header, batches));
    seen.bare.push(await measure(bare, header, batches));
  }
  const figure = (side: readonly Load[]) => ({
    cpuMs: Number(median(side.map((load) => load.cpuMs)).toFixed(2)),
    p99Ms: Number(median(side.map((load) => load.p99Ms)).toFixed(1)),
  });
  // Ratios of rounds next to each other in time, because the speed of a shared machine drifts from minute to minute.
  const pairs = seen.ours.map((mine, i) => (seen.bare[i]?.cpuMs ?? Number.NaN) / mine.cpuMs);
  return { ratio: Number(median(pairs).toFixed(3)), ours: figure(seen.ours), bare: figure(seen.bare) };
}

/** The 99th percentile of the event loop's lag since the last call: reading the metrics page resets its histogram. */
async function loopLagP99Ms(service: Service): Promise<number> {
  const page = await (await fetch(service.metricsUrl)).text();
  const seconds = Number(/^(?:assay_)?nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)/m.exec(page)?.[1]);
  return Math.max(0, seconds * 1_000 - LAG_RESOLUTION_MS);
}

/** Checks and batches at the same time: a batch must not delay the checks. */
async function mixed(service: Service, header: string, batches: readonly Batch[]) {
  const targets = batches.flatMap(({ entities }) => entities);
  await loopLagP99Ms(service);
  const [checks, bulks] = await Promise.all([
    drive(CHECKS_IN_FLIGHT, seconds * 2, (n) =>
      fetch(`${service.url}/check?query=${targets[(n * 31) % targets.length]}`, {
        headers: { 'X-API-KEY': header },
      }),
    ),
    drive(2, seconds * 2, (n) => post(service.url, header, batches[n % BATCHES]?.body ?? '')),
  ]);
  return {
    loopLagP99Ms: Number((await loopLagP99Ms(service)).toFixed(1)),
    checks: checks.length,
    checkP99Ms: Number((checks[Math.floor(checks.length * 0.99)] ?? 0).toFixed(1)),
    bulks: bulks.length,
  };
}

async function startBare(service: Service, spec: object): Promise<{ side: Side; child: ChildProcess }> {
  const port = await freePort();
  const file = join(folder, 'floor.json');
  writeFileSync(file, JSON.stringify({ ...spec, port }));
  const out = openSync(join(folder, 'floor.log'), 'a');
  const child = fork(join(import.meta.dirname, 'bare-bulk.ts'), [file], {
    env: { PATH: process.env.PATH, ...service.env, LOG_LEVEL: 'info' },
    stdio: ['ignore', out, out, 'ipc'],
  });
  closeSync(out);
  await new Promise((resolve, reject) => child.once('message', resolve).once('exit', reject));
  return { side: { name: 'bare', url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 }, child };
}

type Reply = {
  processed: number;
  processingTimeMs: number;
  results: { evidence: unknown; sources: number }[];
};

/** Collects the service's replies for the floor to repeat; this first pass is also the coldest. */
async function prepare(service: Service, header: string, batches: readonly Batch[]) {
  const replies: Reply[] = [];
  let headers: [string, string][] = [];
  let bytes = 0;
  for (const { body } of batches) {
    const response = await post(service.url, header, body);
    const text = await response.text();
    const reply = JSON.parse(text) as Reply;
    if (response.status !== 200 || reply.processed !== BATCH) throw new Error(text.slice(0, 500));
    if (reply.results.some(({ evidence }) => evidence === null)) throw new Error('A row has no evidence.');
    const listed = reply.results.filter(({ sources }) => sources > 0).length;
    if (listed < BATCH * 0.75) throw new Error(`Only ${listed} rows are of something listed.`);
    bytes += Buffer.byteLength(text);
    replies.push(reply);
    headers = [...response.headers].filter(([name]) => /^(x-content|referrer|cache|vary|access)/.test(name));
  }
  const coldMs = Math.max(...replies.map(({ processingTimeMs }) => processingTimeMs));
  return { headers, replies, coldMs, meanBytes: Math.round(bytes / BATCHES) };
}

async function run(): Promise<object> {
  await loadCorpus();
  const service = await startService({
    databaseUrl: database.href,
    env: { LOG_LEVEL: 'info', ASSAY_ENV: 'development' },
  });
  try {
    const key = await service.admin<{ header: string; accountId: string }>(
      'key',
      'create',
      '--email',
      'bulk@example.com',
      '--plan',
      'ENTERPRISE',
      '--limits',
      JSON.stringify(LIMITS),
    );
    await sleep(3_000);
    const batches = makeBatches();
    const { headers, replies, coldMs, meanBytes } = await prepare(service, key.header, batches);
    const { side: bare, child } = await startBare(service, {
      account: `${key.accountId}-bare`,
      burstLimit: LIMITS.burstPerMinute,
      monthLimit: LIMITS.checksPerMonth,
      headers,
      batches: batches.map(({ entities }, i) => ({ entities, reply: replies[i] })),
    });
    const ours: Side = { name: 'ours', url: service.url, pid: service.listenerPids()[0] ?? 0 };
    const result = await race(ours, bare, key.header, batches);
    child.disconnect();
    const together = await mixed(service, key.header, batches);
    say(`bulk-500: mean body ${meanBytes} bytes; slowest first pass ${coldMs} ms in the handler`);
    for (const side of ['ours', 'bare'] as const)
      say(`bulk-500 ${side}: ${result[side].cpuMs} ms CPU a request, p99 ${result[side].p99Ms} ms`);
    say(`ratio bulk-500 ${result.ratio}`);
    say(`bulk-500 cpu ms ${result.ours.cpuMs}`);
    say(
      `mixed: event-loop delay p99 ${together.loopLagP99Ms} ms over ${together.checks} checks (p99 ${together.checkP99Ms} ms) and ${together.bulks} batches`,
    );
    return { 'bulk-500': { ...result, meanBytes, coldMs }, mixed: together };
  } finally {
    await service.stop();
  }
}

try {
  await migrate(database.href);
  const results = await run();
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
  writeFileSync(
    join(import.meta.dirname, 'results/bulk.json'),
    `${JSON.stringify({ machine, seconds, rounds, entries, ...results }, null, 2)}\n`,
  );
} finally {
  const client = new pg.Client({ connectionString: new URL('/postgres', database).href });
  await client.connect();
  await client.query(`drop database if exists "${database.pathname.slice(1)}" with (force)`);
  await client.end();
  rmSync(folder, { recursive: true, force: true });
}
