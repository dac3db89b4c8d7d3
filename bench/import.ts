import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { CATALOGUE, OFFLINE_FILES, settingsOf } from '../server/src/capabilities/catalogue/catalogue.ts';
import { corpusDataset, findSource } from '../server/src/capabilities/corpus/index.ts';
import { parseManifest } from '../server/src/capabilities/datasets/index.ts';
import { planImport } from '../server/src/capabilities/feeds/import/plan-import.ts';
import { openBulkLoad } from '../server/src/capabilities/feeds/ingest/bulk-load.ts';
import type { IngestOptions } from '../server/src/capabilities/feeds/ingest/contract.ts';
import { type IngestDeps, ingestSnapshot } from '../server/src/capabilities/feeds/ingest/ingest-snapshot.ts';
import { isBogon, parseIndicator } from '../server/src/domain/indicator/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { loadConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { asSystem, type Postgres, sql } from '../server/src/platform/postgres.ts';
import { openReplicator } from '../server/src/platform/replica/replicator.ts';
import { kindOf, textOf } from './support/generated-corpus.ts';
import {
  type BaselineSource,
  copyBaseline,
  copyLines,
  writeBaselineFile,
} from './support/import-baseline.ts';

/**
 * npm run bench:import
 * Imports the whole data set beside the project into an empty corpus, against a bare COPY of the same rows; imports it
 * again; then a list of a million lines, refetched with 1 % of change. BENCH_IMPORT_SHARE=0.05 takes a twentieth of
 * all.
 */
const PROJECT = join(import.meta.dirname, '..');
const DATA = join(PROJECT, '../shared/data');
const SHARE = Number(process.env.BENCH_IMPORT_SHARE ?? '1');
const LINES = Math.round(1_000_000 * SHARE);
/** Odd, so that there is a middle one to report. */
const ROUNDS = 5;
const clock = systemClock();
const log = createLog('silent');
const base = loadConfig();
const databaseUrl = new URL(base.DATABASE_URL);
databaseUrl.pathname = `/assay_bench_import_${process.pid}`;
const config = { ...base, DATABASE_URL: databaseUrl.href, POSTGRES_POOL_MAX: 4 };
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-import-'));

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

async function timed<T>(what: string, work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const startMs = clock.monotonic();
  const result = await work();
  const seconds = (clock.monotonic() - startMs) / 1_000;
  say(`${what}: ${round(seconds)} s`);
  return { result, seconds };
}

function watchMemory(): () => number {
  let peak = 0;
  const look = () => {
    const found = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'));
    peak = Math.max(peak, Number(found?.[1] ?? 0) / 1_024);
  };
  const timer = setInterval(look, 50);
  return () => {
    look();
    clearInterval(timer);
    return Math.round(peak);
  };
}

async function onServer(statement: string): Promise<void> {
  const url = new URL(databaseUrl);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(statement);
  await client.end();
}

function plannedOptions(): readonly IngestOptions[] {
  const manifest = parseManifest(readFileSync(join(DATA, 'MANIFEST.json'), 'utf8'), [
    'feeds/',
    'allowlists/',
    'warninglists/',
  ]);
  const { sources } = planImport(manifest, OFFLINE_FILES, CATALOGUE);
  const taken = sources.slice(0, Math.max(1, Math.round(sources.length * SHARE)));
  return taken.map(({ row, files, dataAtMs }) => ({
    sourceId: row.id,
    settings: settingsOf(row),
    files: files.map(({ path, format, family }) => ({
      path: join(DATA, path),
      format,
      ...(family === undefined ? {} : { family }),
    })),
    dataAtMs,
    trustDeclaredDate: false,
    judge: () => undefined,
    canaries: row.canaries !== 'off',
    allowEmpty: row.volume.min === 0,
  }));
}

async function firstImport(deps: IngestDeps, plan: readonly IngestOptions[]) {
  const memory = watchMemory();
  const skipped: string[] = [];
  const startMs = clock.monotonic();
  const load = await openBulkLoad(deps);
  if (load === null) throw new Error('The corpus is not empty.');
  let lines = 0;
  for (const options of plan)
    try {
      lines += (await load.add(options)).lines;
    } catch (error) {
      skipped.push(`${options.sourceId}: ${error instanceof Error ? error.message : String(error)}`);
    }
  const readSeconds = (clock.monotonic() - startMs) / 1_000;
  const report = await load.finish();
  const seconds = (clock.monotonic() - startMs) / 1_000;
  for (const line of skipped) say(`  left out ${line}`);
  const entries = report.sources.reduce((sum, each) => sum + each.added, 0);
  say(`first import: ${lines} lines, ${entries} listings: ${round(seconds)} s`);
  say(
    `  reading, parsing, copying ${round(readSeconds)} s; sorting into place ${round(report.finishMs / 1_000)} s`,
  );
  return {
    lines,
    entries,
    sources: report.sources.length,
    seconds,
    readSeconds,
    finishSeconds: report.finishMs / 1_000,
    peakMb: memory(),
  };
}

type Facts = {
  readonly listings: number;
  readonly indicators: number;
  readonly changes: number;
  readonly written: string;
};

async function factsOf(system: Postgres): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select (select count(*)::int from listing) as listings, (select count(*)::int from indicator) as indicators,
           (select count(*)::int from replica_change) as changes,
           (select max(xmin::text::bigint)::text from listing) as written`.execute(system.db);
  return rows[0] as Facts;
}

async function secondImport(deps: IngestDeps, plan: readonly IngestOptions[]) {
  const before = await factsOf(deps.system);
  const again = async () => {
    for (const options of plan)
      if (((await findSource(deps.system.db, options.sourceId))?.entries ?? 0) > 0)
        await ingestSnapshot(deps, options).catch((error: unknown) =>
          say(`  ${options.sourceId}: ${String(error)}`),
        );
  };
  const compared = await timed('the same files again, compared by PostgreSQL', again);
  const known = await timed('and again, compared with the known values', again);
  const after = await factsOf(deps.system);
  const isSilent = JSON.stringify(before) === JSON.stringify(after);
  say(`written by both: ${isSilent ? 'nothing' : `${JSON.stringify(before)} -> ${JSON.stringify(after)}`}`);
  return { comparedSeconds: round(compared.seconds), knownSeconds: round(known.seconds), isSilent };
}

async function baselineSources(deps: IngestDeps, plan: readonly IngestOptions[]): Promise<BaselineSource[]> {
  const sources: BaselineSource[] = [];
  for (const { sourceId, files, dataAtMs, canaries } of plan) {
    const source = await findSource(deps.system.db, sourceId);
    if (source === undefined || source.entries === 0) continue;
    const rules = {
      threatClass: source.threatClass,
      guard: source.guard,
      canaries,
      rebaseMs: 0,
      latestMs: dataAtMs,
    };
    sources.push({ number: source.number, rules, dataAtMs, files });
  }
  return sources;
}

/** A line that the admission rules accept; others are replaced by an example name. */
function listLine(index: number): string {
  const text = textOf(index);
  const parsed = parseIndicator(text);
  const isIn = parsed.ok && (parsed.indicator.kind !== 'ip' || !isBogon(parsed.indicator));
  return isIn && kindOf(index) !== 'cidr' ? text : `host${index.toString(36)}.example.com`;
}

/** Every hundredth line differs: 1 % is removed, 1 % added, the rest keeps its place. */
function writeList(path: string, edition: number): void {
  const lines = Array.from({ length: LINES }, (_, at) =>
    listLine(at % 100 === 7 ? at + LINES * 10 * edition : at),
  );
  writeFileSync(path, `${lines.join('\n')}\n`);
}

async function refetch(deps: IngestDeps, client: pg.Client) {
  const path = join(folder, 'list.txt');
  const ingest = () =>
    ingestSnapshot(deps, {
      sourceId: 'bench-refetch',
      settings: {},
      files: [{ path, format: { kind: 'plain' } }],
      dataAtMs: clock.now(),
      judge: () => undefined,
      canaries: true,
    });
  writeList(path, 0);
  const first = await timed(`first import of a list of ${LINES} lines`, ingest);
  const rounds: { bare: number; ours: number }[] = [];
  for (let number = 1; number <= ROUNDS; number += 1) {
    writeList(path, number);
    const bare = await copyLines(client, path, clock.monotonic);
    const ours = await timed('refetched with 1 % of change', ingest);
    say(
      `  bare COPY of its lines ${round(bare, 3)} s; ${JSON.stringify({ ...ours.result, source: undefined, counts: undefined })}`,
    );
    rounds.push({ bare, ours: ours.seconds });
  }
  rounds.sort((a, b) => a.bare / a.ours - b.bare / b.ours);
  const median = rounds[(ROUNDS - 1) / 2] as { bare: number; ours: number };
  return {
    lines: LINES,
    firstSeconds: round(first.seconds),
    rounds: rounds.map(({ bare, ours }) => ({ bare: round(bare, 3), ours: round(ours, 3) })),
    shareOfFirst: round(median.ours / first.seconds, 3),
    ratio: round(median.bare / median.ours),
  };
}

async function run(): Promise<void> {
  await migrate(config.DATABASE_URL);
  const system = asSystem(config);
  const client = new pg.Client({ connectionString: config.DATABASE_URL });
  await client.connect();
  const deps: IngestDeps = { system, clock, dataDir: folder, log };
  try {
    const plan = plannedOptions();
    const first = await firstImport(deps, plan);
    const facts = await factsOf(system);
    const prepared = join(folder, 'baseline.copy');
    const rows = await writeBaselineFile(prepared, await baselineSources(deps, plan));
    const baseline = await copyBaseline(client, prepared, clock.monotonic);
    rmSync(prepared);
    say(`bare COPY of ${rows} rows into a table with the primary key: ${round(baseline)} s`);
    const replica = await timed('replica of it all', () =>
      openReplicator({ postgres: system, dataset: corpusDataset, dataDir: folder, log, clock }),
    );
    await replica.result.close();
    const memory = watchMemory();
    const second = await secondImport(deps, plan);
    const refetched = await refetch(deps, client);
    const peakMb = Math.max(first.peakMb, memory());
    report({
      first,
      facts,
      rows,
      baselineSeconds: round(baseline),
      replicaSeconds: round(replica.seconds),
      second,
      refetched,
      peakMb,
    });
  } finally {
    await client.end();
    await system.close();
    rmSync(folder, { recursive: true, force: true });
    await onServer(`drop database if exists "${databaseUrl.pathname.slice(1)}" with (force)`);
  }
}

type Report = Record<string, unknown> & {
  readonly first: { readonly seconds: number };
  readonly baselineSeconds: number;
  readonly refetched: { readonly ratio: number; readonly shareOfFirst: number };
  readonly peakMb: number;
};

function report(facts: Report): void {
  const ratio = facts.baselineSeconds / facts.first.seconds;
  say(`ratio import-first ${ratio.toFixed(2)}`);
  say(`ratio import-refetch ${facts.refetched.ratio.toFixed(2)}`);
  say(`share import-refetch-of-first ${facts.refetched.shareOfFirst.toFixed(3)}`);
  say(`peak-anonymous-mb ${facts.peakMb}`);
  if (SHARE !== 1) return;
  const results = join(import.meta.dirname, 'results');
  mkdirSync(results, { recursive: true });
  const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model ?? 'unknown' };
  writeFileSync(
    join(results, 'import.json'),
    `${JSON.stringify({ machine, ratioFirst: round(ratio), ...facts }, null, 2)}\n`,
  );
}

if (!existsSync(join(DATA, 'MANIFEST.json')))
  say('There is no ../shared/data/MANIFEST.json beside the project: nothing to import.');
else await run();
process.exit(0);
