import pg from 'pg';
import { statisticsDeps } from '../server/src/app/statistics.ts';
import { refreshStatistics } from '../server/src/capabilities/analytics/index.ts';
import { type CatalogueRow, settingsOf } from '../server/src/capabilities/catalogue/index.ts';
import { registerSource } from '../server/src/capabilities/corpus/index.ts';
import { loadReference } from '../server/src/capabilities/enrichment/index.ts';
import { type PipelineDeps, runSource } from '../server/src/capabilities/feeds/index.ts';
import { computeLineage } from '../server/src/capabilities/source-trust/index.ts';
import { createArtifacts } from '../server/src/platform/artifacts.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import type { Config } from '../server/src/platform/config.ts';
import type { Log } from '../server/src/platform/log.ts';
import { createOutbound } from '../server/src/platform/outbound.ts';
import { asSystem } from '../server/src/platform/postgres.ts';
import { DAY_MS, DAY_S, HOUR_MS } from '../server/src/platform/time-units.ts';
import { makeAsnTable } from './sample/asn-table.ts';
import { makeGeoDatabase } from './sample/geo-database.ts';
import { type Edition, editionsOf, FIRST_DAY } from './sample/history.ts';
import { type Publisher, startPublisher } from './sample/publisher.ts';
import { BROKEN_PAGE } from './sample/render.ts';
import type { SampleSource } from './sample/sample-source.ts';
import { SOURCES } from './sample/sources.ts';
import { clockAt } from './seeding/seeding.ts';

const MINUTE_MS = 60_000;
/** Lists are fetched in parallel: while one merge waits for PostgreSQL, the next list is parsed. */
const SOURCES_AT_ONCE = 3;
const BYTES_MAX = 8_000_000;
const ENTRIES_MAX = 100_000;

export type SeedOptions = {
  readonly config: Config;
  readonly log: Log;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SeedProgress) => void;
  /** Called with what is done after the last list. */
  readonly onStep?: (doing: string) => void;
};
export type SeedProgress = { readonly runs: number; readonly runsTotal: number };
export type SeedReport = {
  readonly sources: number;
  readonly days: number;
  readonly runs: number;
  readonly listings: number;
};

/**
 * Loads the sample: a month of every list, day by day, through the feed pipeline with the clock of that day. The result
 * is the state of a deployment that has fetched these lists for a month.
 */
export async function seedSample(options: SeedOptions): Promise<SeedReport> {
  const { config, log } = options;
  const system = asSystem({ ...config, POSTGRES_POOL_MAX: SOURCES_AT_ONCE * 3 });
  const publisher = await startPublisher();
  const clock = systemClock();
  const outbound = createOutbound({ log, clock, allow: [publisher.allow] });
  const catalogue = SOURCES.map((source) => rowOf(source, publisher));
  const todayMs = clock.now();
  const deps: PipelineDeps = {
    system,
    clock,
    log,
    outbound,
    dataDir: config.DATA_DIR,
    keys: () => undefined,
    catalogue,
  };
  try {
    await loadReferences(deps, todayMs + FIRST_DAY * DAY_MS - DAY_MS);
    const report = await publishAll({ deps, publisher, todayMs, options });
    options.signal?.throwIfAborted();
    options.onStep?.('Comparing the lists');
    await computeLineage(deps);
    await dateChanges(ownerUrlOf(config), todayMs + FIRST_DAY * DAY_MS - HOUR_MS, clock.now());
    options.onStep?.('Counting the statistics');
    const { transaction } = system;
    const artifacts = createArtifacts({ postgres: system, dataDir: config.DATA_DIR, log, clock });
    await refreshStatistics({ ...statisticsDeps(clock, artifacts), transaction }, { wait: true });
    return report;
  } finally {
    await outbound.close();
    await publisher.close();
    await system.close();
  }
}

export const rowOf = (source: SampleSource, publisher: Publisher): CatalogueRow => ({
  ...source,
  publisher: 'Assay sample data (invented)',
  urls: [publisher.url(source.id)],
  licence: { name: 'Invented data, free to use', redistributable: true, mode: 'free' },
  pollS: source.everyDays * DAY_S,
  minIntervalS: 0,
  bytesMax: BYTES_MAX,
  volume: { min: 1, max: ENTRIES_MAX },
  isDefault: false,
});

async function loadReferences(deps: PipelineDeps, atMs: number): Promise<void> {
  // References are loaded before the first list, so that an answer for a past day also has places and networks.
  const load = { clock: clockAt(atMs), transaction: deps.system.transaction };
  const given = { attribution: 'Invented places and networks of the Assay sample data' };
  const geo = { label: 'sample-places.mmdb', bytes: makeGeoDatabase(atMs), modifiedAtMs: atMs };
  const asn = { label: 'sample-networks.csv', bytes: Buffer.from(makeAsnTable()), modifiedAtMs: atMs };
  await loadReference(load, 'geo', [geo], { ...given, name: 'Sample: places' });
  await loadReference(load, 'asn', [asn], { ...given, name: 'Sample: networks' });
}

type Seeding = {
  readonly deps: PipelineDeps;
  readonly publisher: Publisher;
  readonly todayMs: number;
  readonly options: SeedOptions;
};

async function publishAll(seeding: Seeding): Promise<SeedReport> {
  const { todayMs, options } = seeding;
  const plans = SOURCES.map((source, nth) => ({
    source,
    editions: editionsOf(source, todayMs),
    // Offsets keep lists of one day from being fetched in the same second.
    offsetMs: (3 + ((nth * 7) % 50)) * MINUTE_MS,
  })).toSorted((a, b) => b.editions.length - a.editions.length);
  const runsTotal = plans.reduce((sum, { editions }) => sum + editions.length, 0);
  const entries = new Map<string, number>();
  let runs = 0;
  const publish = async (plan: Plan, edition: Edition): Promise<void> => {
    options.signal?.throwIfAborted();
    const count = await publishEdition(seeding, plan, edition);
    if (count !== null) entries.set(plan.source.id, count);
    runs += 1;
    options.onProgress?.({ runs, runsTotal });
  };
  await eachAtOnce(plans, async (plan) => {
    await register(seeding, plan);
    for (const edition of plan.editions.slice(0, 1)) await publish(plan, edition);
  });
  await measureTables(ownerUrlOf(options.config));
  await eachAtOnce(plans, async (plan) => {
    for (const edition of plan.editions.slice(1)) await publish(plan, edition);
    if (plan.source.breaksToday === true) await breakToday(seeding, plan);
  });
  const listings = [...entries.values()].reduce((sum, each) => sum + each, 0);
  return { sources: plans.length, days: -FIRST_DAY, runs, listings };
}

async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: SOURCES_AT_ONCE }, worker));
}

/** Connects as the owner of the tables: only an owner may analyze them and date their rows. */
const ownerUrlOf = (config: Config): string => config.MIGRATE_DATABASE_URL ?? config.DATABASE_URL;

async function onDatabase(databaseUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/**
 * PostgreSQL analyzes new tables within a minute or two. A month loaded in seconds cannot wait for that: merges planned
 * for empty tables take twice as long (measured).
 */
const measureTables = (databaseUrl: string): Promise<void> =>
  onDatabase(databaseUrl, (client) => client.query('analyze'));

/**
 * The change log is stamped by PostgreSQL's clock, which cannot be moved. Spreading its stamps over the month lets the
 * service answer for a past day.
 */
const dateChanges = (databaseUrl: string, fromMs: number, toMs: number): Promise<void> =>
  onDatabase(databaseUrl, (client) =>
    client.query(
      `update replica_edition e set at = to_timestamp(($1 + ($2::float8 - $1) * nth.share) / 1000)
         from (select dataset, seq, percent_rank() over (partition by dataset order by seq) as share
                 from replica_edition where dataset = 'corpus') as nth
        where e.dataset = nth.dataset and e.seq = nth.seq`,
      [fromMs, toMs],
    ),
  );

type Plan = {
  readonly source: SampleSource;
  readonly editions: readonly Edition[];
  readonly offsetMs: number;
};

const momentOf = ({ todayMs }: Seeding, { offsetMs }: Plan, day: number): number =>
  todayMs + day * DAY_MS - offsetMs;

async function register(seeding: Seeding, plan: Plan): Promise<void> {
  const { deps } = seeding;
  const row = deps.catalogue.find(({ id }) => id === plan.source.id);
  if (row === undefined) throw new Error(`'${plan.source.id}' is not in the sample catalogue.`);
  await registerSource({ ...deps, clock: clockAt(momentOf(seeding, plan, FIRST_DAY)) }, row.id, {
    ...settingsOf(row),
    // The sample's publisher ends with the seeding, so a lasting example URL is shown instead.
    url: `https://example.com/${row.id}`,
  });
}

/**
 * Publishes and fetches one day of one list with the clock of that day. Returns the number of entries; null when
 * unchanged.
 */
async function publishEdition(seeding: Seeding, plan: Plan, { day, text }: Edition): Promise<number | null> {
  const { deps, publisher } = seeding;
  const { id } = plan.source;
  const atMs = momentOf(seeding, plan, day);
  const type = 'text/plain; charset=utf-8';
  publisher.publish(id, { body: text, type, modifiedMs: atMs - MINUTE_MS });
  const outcome = await runSource({ ...deps, clock: clockAt(atMs) }, id);
  if (outcome.status !== 'succeeded' && outcome.status !== 'unchanged')
    throw new Error(`The sample list '${id}' was not taken: ${outcome.reason ?? outcome.status}`);
  return outcome.report?.source.entries ?? null;
}

/** Publishes a page instead of a list: the pipeline keeps the last good content and reports it. */
async function breakToday(seeding: Seeding, plan: Plan): Promise<void> {
  const { deps, publisher } = seeding;
  const atMs = momentOf(seeding, plan, 0);
  publisher.publish(plan.source.id, { body: BROKEN_PAGE, type: 'text/html', modifiedMs: atMs });
  await runSource({ ...deps, clock: clockAt(atMs) }, plan.source.id);
}
