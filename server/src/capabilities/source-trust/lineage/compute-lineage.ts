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
import { placeSources } from './clusters.ts';
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
  const transaction = run.transaction ?? deps.system.transaction;
  const nowMs = deps.clock.now();
  const changed = await transaction((tx) => settleDay(tx, { sources, measured, overlaps, nowMs }));
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
  readonly nowMs: number;
};

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

async function settleDay(tx: Db, { sources, measured, overlaps, nowMs }: Day): Promise<readonly number[]> {
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
  await insertPlacements(tx, nowMs, placements);
  const keptSince = dayOf(nowMs - KEPT_DAYS * DAY_MS);
  await forgetOverlapsBefore(tx, keptSince);
  await forgetPlacementsBefore(tx, keptSince);
  const clusters = new Map(
    placements.map(({ number, id, lineage, cluster }) => [
      number,
      cluster === (lineage ?? id) ? null : cluster,
    ]),
  );
  return assignClusters(tx, clusters, nowMs);
}
