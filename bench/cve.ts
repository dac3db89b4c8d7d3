import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { CVE_DATASETS, mergePending } from '../server/src/capabilities/cve/index.ts';
import { loadFiles } from '../server/src/capabilities/datasets/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { createLog } from '../server/src/platform/log.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { asSystem, type Postgres } from '../server/src/platform/postgres.ts';
import { databaseUrl, dropDatabase } from '../server/test/support/database.ts';
import { startService } from '../server/test/support/service.ts';
import { openAccounts } from '../server/test/support/service-accounts.ts';
import { copyTables, copyText, fillText, unloadTables } from './support/copied-tables.ts';
import { BENCH_PLAN, countStatements, raceRecords, raceSearches } from './support/cve-answers.ts';
import { generateCves } from './support/generated-cves.ts';
import { generateEpss } from './support/generated-epss.ts';
import { growCves } from './support/grown-cves.ts';
import { quantile } from './support/search-proof.ts';

/**
 * npm run bench:cve -- [--small] [--cves 350000] [--queries 600] [--seconds 5] [--rounds 5] [--grow 350000] [--keep NAME] [--reuse NAME]
 * Loads a catalogue resampled from the real records beside COPY of the rows that come out; a day of EPSS with 15 % changed
 * beside COPY of its file; records over HTTP beside bare Fastify with a meter call and one SELECT; searches beside their own
 * statements; and counts the statements of public statistics. --grow fills the catalogue
 * up with copies before it answers; --keep leaves the database, --reuse answers from it.
 * A day of EPSS is measured again after --grow, because a load of 350,000 records takes long on a busy machine.
 */
const { values: flags } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    cves: { type: 'string' },
    queries: { type: 'string', default: '600' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    keep: { type: 'string' },
    reuse: { type: 'string' },
    grow: { type: 'string' },
  },
});
const cves = Number(flags.cves ?? (flags.small ? '20000' : '350000'));
/** 3 M ranges and 1.2 M CPE names of 350,000 CVEs. */
const size = { cves, ranges: Math.round((cves * 60) / 7), cpeNames: Math.round((cves * 24) / 7) };
const [seconds, rounds] = [Number(flags.seconds), Number(flags.rounds)];
const DATA = join(import.meta.dirname, '../../shared/data');
const EPSS_DAYS = 6;
const TABLES = [
  'cve_told',
  'cve',
  'cve_epss',
  'cve_product',
  'cve_package',
  'cve_vendor',
  'cve_vendor_product',
  'cve_cpe_name',
  'cve_link_vote',
];
const clock = systemClock();
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-cve-'));
const database = flags.reuse ?? flags.keep ?? `assay_bench_cve_${randomBytes(6).toString('hex')}`;
const round = (value: number): number => Number(value.toFixed(2));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function timed<T>(what: string, work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const startMs = performance.now();
  const result = await work();
  const took = round((performance.now() - startMs) / 1_000);
  say(`figure ${what} ${took} s, load ${round(loadavg()[0] ?? 0)}`);
  return { result, seconds: took };
}

const log = createLog('silent');
const depsOf = (system: Postgres) => ({ system, clock, log, dataDir: folder });

async function load(system: Postgres, id: string, path: string, isFollowed: boolean): Promise<void> {
  const definition = CVE_DATASETS.find((each) => each.id === id);
  if (definition === undefined) throw new Error(`There is no data set '${id}'.`);
  const deps = depsOf(system);
  const volume = { min: 1, max: Number.POSITIVE_INFINITY };
  const given = { paths: [path], dataAtMs: clock.now(), accept: true, isFollowed };
  const outcome = await loadFiles(deps, { ...definition, volume }, given);
  if (outcome.status !== 'imported') throw new Error(`${id}: ${outcome.status}, ${outcome.reason}`);
}

async function loadCatalogue(system: Postgres, client: pg.Client) {
  const { result: made } = await timed('cve-generate', () => generateCves(DATA, folder, size));
  say(`figure cve-generated ${made.ids.length} CVEs, ${made.ranges} ranges, ${made.cpeNames} CPE names`);
  const list = await timed('cve-load-list', () => load(system, 'cve-list', made.list, true));
  const overrides = await timed('cve-load-overrides', () =>
    load(system, 'nvd-overrides', made.overrides, true),
  );
  const kev = await timed('cve-load-kev', () => load(system, 'kev', made.kev, true));
  const days = generateEpss(DATA, folder, made.ids, EPSS_DAYS);
  const [firstDay, ...laterDays] = days;
  const epss = await timed('epss-first', () => load(system, 'epss', firstDay?.path ?? '', true));
  const merge = await timed('cve-merge', () => mergePending(depsOf(system)));
  await client.query('analyze');
  const ours = list.seconds + overrides.seconds + kev.seconds + epss.seconds + merge.seconds;
  await unloadTables(client, folder, TABLES);
  const copied = round(await copyTables(client, folder, TABLES));
  const bare = round(await copyTables(client, folder, TABLES, 'constraints'));
  say(`figure cve-copy ${copied} s with the same indexes, ${bare} s without any`);
  say(`ratio cve-load ${round(copied / ours)}`);
  return {
    generated: { cves: made.ids.length, ranges: made.ranges, cpeNames: made.cpeNames },
    load: {
      listS: list.seconds,
      overridesS: overrides.seconds,
      kevS: kev.seconds,
      epssS: epss.seconds,
      mergeS: merge.seconds,
      copyS: copied,
      copyWithoutIndexesS: bare,
      ratio: round(copied / ours),
    },
    epss: await refetch(system, client, laterDays),
  };
}

async function refetch(
  system: Postgres,
  client: pg.Client,
  days: readonly { readonly path: string; readonly rows: string }[],
) {
  const pairs: { oursS: number; copyS: number }[] = [];
  for (const { path, rows } of days) {
    const { seconds: oursS } = await timed('epss-refetch', () => load(system, 'epss', path, false));
    const copyS = await copyText(client, 'cve_epss', 'cve_id, score, percentile', rows);
    pairs.push({ oursS, copyS: round(copyS) });
  }
  const ratio = round(
    quantile(
      pairs.map(({ oursS, copyS }) => copyS / oursS),
      0.5,
    ),
  );
  say(`figure epss-copy ${pairs.map(({ copyS }) => copyS).join(', ')} s`);
  say(`ratio epss-refetch ${ratio}`);
  return { ratio, pairs };
}

/** The catalogue at its full size, and days of EPSS for all of it. */
async function grow(system: Postgres, client: pg.Client, upTo: number) {
  const { result: loaded } = await timed('cve-grow', () => growCves(client, upTo));
  const ids = await client.query<{ id: string }>('select id from cve order by id');
  const [first, ...later] = generateEpss(
    DATA,
    folder,
    ids.rows.map(({ id }) => id),
    4,
    EPSS_DAYS,
  );
  await client.query('truncate cve_epss');
  await fillText(client, 'cve_epss', 'cve_id, score, percentile', first?.rows ?? '');
  await client.query('analyze cve_epss');
  return { grown: { loaded, cves: ids.rows.length }, epss: await refetch(system, client, later) };
}

async function sizes(client: pg.Client, dataDir: string) {
  const { rows } = await client.query<{ table: string; mb: number }>(
    `select relname as table, round(pg_total_relation_size(oid) / 1e6)::int as mb from pg_class
      where relkind = 'r' and relname like 'cve%' and pg_total_relation_size(oid) > 1e6 order by 2 desc`,
  );
  const total = await client.query<{ mb: number }>(
    `select round(pg_database_size(current_database()) / 1e6)::int as mb`,
  );
  const replica = join(dataDir, 'replica/cve');
  const [replicaKb = '0'] = execFileSync('du', ['-sk', replica], { encoding: 'utf8' }).split('\t');
  const result = {
    databaseMb: total.rows[0]?.mb ?? 0,
    replicaMb: Math.round(Number(replicaKb) / 1_000),
    tablesMb: Object.fromEntries(rows.map(({ table, mb }) => [table, mb])),
  };
  say(`figure cve-size ${JSON.stringify(result)}`);
  return result;
}

async function answer(client: pg.Client) {
  const service = await startService({
    databaseUrl: databaseUrl(database),
    env: { ASSAY_ENV: 'development', LOG_LEVEL: 'info', PUBLIC_PER_MINUTE: '1000000' },
  });
  const accounts = openAccounts(service);
  try {
    const email = `bench-${randomBytes(4).toString('hex')}@example.com`;
    const caller = await accounts.newAccount(email, BENCH_PLAN);
    const given = { service, caller, databaseUrl: databaseUrl(database), folder, client };
    const searches = await raceSearches(given, Number(flags.queries), say);
    say(`ratio cve-search ${searches.ratio}`);
    const records = await raceRecords(given, { seconds, rounds });
    say(`figure cve-record ${JSON.stringify(records)}`);
    say(`ratio cve-record ${records.ratio}`);
    const statements = await countStatements(service);
    say(`figure cve-statistics-statements ${statements}`);
    return { searches, records, statements, size: await sizes(client, service.dataDir) };
  } finally {
    await accounts.close();
    await service.stop();
  }
}

try {
  await migrate(databaseUrl(database));
  const client = new pg.Client({ connectionString: databaseUrl(database) });
  await client.connect();
  const system = asSystem({ DATABASE_URL: databaseUrl(database), POSTGRES_POOL_MAX: 4 });
  try {
    const loaded = flags.reuse === undefined ? await loadCatalogue(system, client) : {};
    const grown = flags.grow === undefined ? {} : await grow(system, client, Number(flags.grow));
    const answers = await answer(client);
    const machine = { cpu: cpus()[0]?.model, cores: cpus().length, load: loadavg().map(round) };
    mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
    // A small or partial run is not stored: its figures would stand for the whole catalogue.
    if (cves === 350_000 || flags.grow === '350000')
      writeFileSync(
        join(import.meta.dirname, 'results/cve.json'),
        `${JSON.stringify({ machine, ...size, ...loaded, ...grown, ...answers }, null, 2)}\n`,
      );
  } finally {
    await system.close();
    await client.end();
  }
} finally {
  if (flags.keep === undefined && flags.reuse === undefined) await dropDatabase(database);
  rmSync(folder, { recursive: true, force: true });
}
