import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  assignClusters,
  type CorpusWriteDeps,
  listSources,
  type Source,
} from '#capabilities/corpus/index.ts';
import type { Log } from '#platform/log.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { type Placement, placeSources } from './clusters.ts';
import { sharedDates } from './echo-store.ts';
import { ECHO_WINDOW_DAYS, type Echo, echoLineages, findEchoes, type SharedDates } from './echoes.ts';
import { joinPairs, WINDOW_DAYS } from './joined-pairs.ts';
import { entriesOf, measureOverlaps, type Overlap, sizeOf } from './overlaps.ts';
import { type Extents, readExtents } from './read-extents.ts';
import { type LineageReport, readLineage } from './report.ts';
import {
  forgetDay,
  forgetOverlapsBefore,
  forgetPlacementsBefore,
  insertOverlaps,
  insertPlacements,
  measuredDaysSince,
  overlapsSince,
} from './store.ts';

export type LineageDeps = CorpusWriteDeps & { readonly log: Log };

export type LineageRun = {
  /** A job writes through its own transactions, which commit only while it holds its lease. */
  readonly transaction?: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
  readonly signal?: AbortSignal;
};

const KEPT_DAYS = 90;

/**
 * Measures how much the threat sources hold of each other, stores the day, and gives every source its cluster by the
 * last seven days (scoring 3, ruling 4). All steps but the last only read.
 */
export async function computeLineage(deps: LineageDeps, run: LineageRun = {}): Promise<LineageReport> {
  const startedMs = deps.clock.monotonic();
  const sources = (await listSources(deps.system.db)).filter(isMeasured);
  const measured = await readExtents(deps.system.db, sources);
  const overlaps = await overlapsOf(measured, run.signal);
  const newestMs = Math.max(0, ...sources.map(({ dataAtS }) => dataAtS * 1_000));
  // The window ends at the newest data and not now, because an offline data set may be of an earlier day.
  const sinceMs = newestMs - ECHO_WINDOW_DAYS * DAY_MS;
  const shared = await sharedDates(
    deps.system.db,
    sources.map(({ number }) => number),
    sinceMs,
  );
  const transaction = run.transaction ?? deps.system.transaction;
  const nowMs = deps.clock.now();
  const changed = await transaction((tx) => settleDay(tx, { sources, measured, overlaps, shared, nowMs }));
  deps.log.info(
    {
      sources: sources.length,
      entries: measured.extents.reduce((sum, extent) => sum + entriesOf(extent), 0),
      pairs: overlaps.length,
      moved: changed.length,
      durationMs: Math.round(deps.clock.monotonic() - startedMs),
    },
    'feeds.lineage.computed',
  );
  return readLineage(deps.system.db);
}

/** Only opinions can echo each other: a list of Tor exits states facts, and repeating it is not an echo. */
const isMeasured = ({ threatClass, enabled, entries }: Source): boolean =>
  threatClass === 'threat' && enabled && entries > 0;

async function overlapsOf(
  { extents, sets }: Extents,
  signal: AbortSignal | undefined,
): Promise<readonly Overlap[]> {
  const found: Overlap[] = [];
  for (const some of measureOverlaps(extents, sets)) {
    found.push(...some);
    signal?.throwIfAborted();
    await nextTurn();
  }
  return found;
}

type Day = {
  readonly sources: readonly Source[];
  readonly measured: Extents;
  readonly overlaps: readonly Overlap[];
  readonly shared: readonly SharedDates[];
  readonly nowMs: number;
};

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

async function settleDay(
  tx: Db,
  { sources, measured, overlaps, shared, nowMs }: Day,
): Promise<readonly number[]> {
  const today = dayOf(nowMs);
  await forgetDay(tx, today);
  await insertOverlaps(tx, today, overlaps);
  const since = dayOf(nowMs - (WINDOW_DAYS - 1) * DAY_MS);
  const days = new Map(
    (await measuredDaysSince(tx, since)).map((row) => [row.sourceNumber, new Set(row.days)]),
  );
  for (const { number } of sources) days.set(number, (days.get(number) ?? new Set()).add(today));
  const sizes = new Map(measured.extents.map((extent) => [extent.number, sizeOf(extent)]));
  const members = sources.map(({ number, id, lineage, aggregate }) => ({
    number,
    id,
    lineage,
    aggregate,
    size: sizes.get(number) ?? 0,
  }));
  const placements = placeSources(members, joinPairs(await overlapsSince(tx, since), days));
  const known = new Map(sources.map((source) => [source.number, source]));
  const echoing = placements.map(({ number, cluster }) => ({
    number,
    cluster,
    aggregate: known.get(number)?.aggregate ?? false,
    echoes: known.get(number)?.echoes ?? {},
  }));
  const echoes = findEchoes(echoing, shared);
  const lineages = echoLineages(echoing, echoes);
  await insertPlacements(tx, nowMs, withEchoes(placements, echoes));
  const keptSince = dayOf(nowMs - KEPT_DAYS * DAY_MS);
  await forgetOverlapsBefore(tx, keptSince);
  await forgetPlacementsBefore(tx, keptSince);
  const assigned = new Map(
    placements.map(({ number, id, lineage, cluster }) => [
      number,
      { cluster: cluster === (lineage ?? id) ? null : cluster, echoes: lineages.get(number) ?? {} },
    ]),
  );
  return assignClusters(tx, assigned, nowMs);
}

/** The report shows why a source is an echo beside why it is in its cluster. */
function withEchoes(placements: readonly Placement[], echoes: readonly Echo[]): readonly Placement[] {
  const ids = new Map(placements.map(({ number, id }) => [number, id]));
  return placements.map((placement) => ({
    ...placement,
    evidence: [
      ...placement.evidence,
      ...echoes
        .filter(({ source }) => source === placement.number)
        .map(({ original, kind, share }) => ({
          with: ids.get(original) ?? String(original),
          relation: 'repeats' as const,
          kind,
          containment: share,
          days: 1,
          joins: true,
        })),
    ],
  }));
}
