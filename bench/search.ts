import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';
import { mergeSnapshot } from '../server/src/capabilities/corpus/index.ts';
import { followCorpus } from '../server/src/capabilities/search/index.ts';
import { brandOf, probesOf } from '../server/src/domain/lookalike/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { loadConfig } from '../server/src/platform/config.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { asSystem, type Postgres, sql } from '../server/src/platform/postgres.ts';
import { cpuSecondsOf, type Service, startService } from '../server/test/support/service.ts';
import { indicatorOf } from './support/generated-corpus.ts';
import { PLANTED_BRANDS, plantedFor } from './support/planted-lookalikes.ts';
import { proveSearch, quantile } from './support/search-proof.ts';
import { syntheticNames } from './support/synthetic-names.ts';

/**
 * npm run bench:search -- [--names 2000000] [--rounds 12]
 * Look-alikes of 202 brands over HTTP among the listed names of the data set beside the project, filled up to --names
 * with synthetic ones, plus five planted for each brand; in turns with the same statements on a bare connection. Prints
 * how long the names took to become searchable.
 */
const { values: flags } = parseArgs({
  options: { names: { type: 'string', default: '2000000' }, rounds: { type: 'string', default: '12' } },
});
const DATA = join(import.meta.dirname, '../../shared/data');
const MAIN = join(import.meta.dirname, '../server/src/app/main.ts');
const ROWS_PER_MERGE = 100_000;
const IMPORT_OUTPUT_MAX = 64 * 1024 * 1024;
const LIMITS = { burstPerMinute: 1_000_000_000, checksPerMonth: 1_000_000_000 };
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const round = (value: number): number => Number(value.toFixed(2));
const clock = systemClock();
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-search-'));
const database = new URL(loadConfig().DATABASE_URL);
database.pathname = `/assay_bench_search_${process.pid}`;

async function timed<T>(what: string, work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const startMs = clock.monotonic();
  const result = await work();
  const seconds = round((clock.monotonic() - startMs) / 1_000);
  say(`${what}: ${seconds} s`);
  return { result, seconds };
}

const list = (system: Postgres, id: string, names: readonly string[], reliability: number) =>
  mergeSnapshot({ system, clock }, id, [names.map((name) => ({ indicator: indicatorOf(name) }))], {
    dataAtMs: clock.now(),
    settings: { category: 'phishing', reliability },
  });

async function countListed(system: Postgres): Promise<number> {
  const { rows } = await sql<{ names: number }>`
    select count(distinct l.key)::int as names from listing l join source s on s.number = l.source_number
     where get_byte(l.key, 0) = 5 and s.threat_class = 'threat' and not s.ad_only`.execute(system.db);
  return rows[0]?.names ?? 0;
}

/** Imports the data set like an operator, fills up with synthetic names, then plants the look-alikes to be found. */
async function fill(system: Postgres): Promise<{ real: number; synthetic: number }> {
  const env = { PATH: process.env.PATH, ASSAY_ENV: 'test', DATABASE_URL: database.href, DATA_DIR: folder };
  const options = { env, maxBuffer: IMPORT_OUTPUT_MAX };
  if (existsSync(join(DATA, 'MANIFEST.json')))
    await timed('import of the data set', () =>
      promisify(execFile)(
        process.execPath,
        [MAIN, 'admin', 'feeds', 'import-manifest', DATA, '--json', '--rebase'],
        options,
      ),
    );
  const real = await countListed(system);
  const names = Array.from(syntheticNames(Math.max(0, Number(flags.names) - real)));
  for (let at = 0; at < names.length; at += ROWS_PER_MERGE)
    await list(system, `made-up-${at / ROWS_PER_MERGE}`, names.slice(at, at + ROWS_PER_MERGE), 0.5);
  const planted = PLANTED_BRANDS.flatMap(plantedFor).map(({ name }) => name);
  await list(system, 'planted', planted, 0.95);
  return { real, synthetic: names.length };
}

async function openBare(): Promise<{
  ask: (brand: string) => Promise<void>;
  times: number[];
  close: () => Promise<void>;
}> {
  const client = new pg.Client({ connectionString: database.href, options: '-c role=assay_app -c jit=off' });
  await client.connect();
  const times: number[] = [];
  const found = (where: string) =>
    `select name from (select name, danger, spelling from search_name where ${where} limit 20000) as found
      order by danger desc, length(spelling), name limit 1001`;
  const ask = async (name: string): Promise<void> => {
    const domain = indicatorOf(name);
    const brand = domain.kind === 'domain' ? brandOf(domain) : null;
    if (brand === null) throw new Error(`'${name}' is no brand.`);
    const { tokens, word, inside } = probesOf(brand);
    const begunMs = performance.now();
    await client.query('begin');
    await client.query(
      `select set_config('enable_seqscan', 'off', true), filled_at is not null from search_state`,
    );
    await client.query(found('tokens && $1::text[]'), [tokens]);
    if (inside === null) await client.query(found('tokens @> array[$1::text]'), [word]);
    else await client.query(found('spelling like $1'), [`%${inside}%`]);
    await client.query('commit');
    times.push(performance.now() - begunMs);
  };
  return { ask, times, close: () => client.end() };
}

async function measure(service: Service) {
  const wanted = [
    '--email',
    'search@example.com',
    '--plan',
    'ENTERPRISE',
    '--limits',
    JSON.stringify(LIMITS),
  ];
  const key = await service.admin<{ header: string }>('key', 'create', ...wanted);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const bare = await openBare();
  const pid = service.listenerPids()[0] ?? 0;
  const cpuBefore = cpuSecondsOf(pid);
  const proof = await proveSearch(service.url, key.header, Number(flags.rounds), bare.ask);
  const cpuMs = ((cpuSecondsOf(pid) - cpuBefore) * 1_000) / (proof.coldMs.length + proof.warmMs.length);
  await bare.close();
  const figures = (times: readonly number[]) => ({
    p50Ms: round(quantile(times, 0.5)),
    p99Ms: round(quantile(times, 0.99)),
    maxMs: round(Math.max(...times)),
  });
  const pairs = proof.warmMs.map((ours, at) => (bare.times[at] ?? Number.NaN) / ours);
  const [cold, ours, floor] = [proof.coldMs, proof.warmMs, bare.times].map(figures);
  return {
    searches: proof.warmMs.length,
    missing: proof.missing,
    own: proof.own,
    hits: proof.hits,
    truncated: proof.truncated,
    cold,
    ours,
    bare: floor,
    cpuMsOfListener: round(cpuMs),
    ratio: round(quantile(pairs, 0.5)),
    ratioP99: round((floor?.p99Ms ?? 0) / (ours?.p99Ms ?? 1)),
  };
}

await migrate(database.href);
const system = asSystem({ DATABASE_URL: database.href, POSTGRES_POOL_MAX: 4 });
try {
  const { real, synthetic } = await fill(system);
  say(`listed names: ${real} real, ${synthetic} made up, ${PLANTED_BRANDS.length * 5} planted`);
  const walk = await timed('made searchable', () =>
    followCorpus({ run: 'bench', transaction: system.transaction }),
  );
  const service = await startService({ databaseUrl: database.href, env: { ASSAY_ENV: 'development' } });
  const load = loadavg()[0] ?? 0;
  const result = await measure(service).finally(() => service.stop());
  for (const side of ['cold', 'ours', 'bare'] as const)
    say(
      `search ${side}: p50 ${result[side]?.p50Ms} ms, p99 ${result[side]?.p99Ms} ms, max ${result[side]?.maxMs} ms`,
    );
  say(
    `${result.searches} warm searches, ${result.cpuMsOfListener} ms CPU of the listener each, load ${round(load)}`,
  );
  say(
    `planted and not found: ${result.missing.length}; brands shown as their own look-alike: ${result.own.length}`,
  );
  for (const line of [...result.missing, ...result.own]) say(`  ${line}`);
  say(`ratio search ${result.ratio}`);
  say(`ratio search-p99 ${result.ratioP99}`);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
  writeFileSync(
    join(import.meta.dirname, 'results/search.json'),
    `${JSON.stringify({ machine, load: round(load), names: { real, synthetic }, fillSeconds: walk.seconds, put: walk.result.put, ...result }, null, 2)}\n`,
  );
  if (result.missing.length + result.own.length > 0) process.exitCode = 1;
} finally {
  await system.close();
  const client = new pg.Client({ connectionString: new URL('/postgres', database).href });
  await client.connect();
  await client.query(`drop database if exists "${database.pathname.slice(1)}" with (force)`);
  await client.end();
  rmSync(folder, { recursive: true, force: true });
}
