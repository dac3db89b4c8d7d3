import { hasData, type Source } from '#capabilities/corpus/index.ts';
import { confidenceBaseOf } from '#domain/scoring/index.ts';
import { type FeedState, isInUse, judgeFreshness } from '../freshness/judge-freshness.ts';
import type { LicensedSource, SOURCE_STATUSES, SourceStatistics } from './contract.ts';

type States = ReadonlyMap<number, FeedState>;

const byNumber = (states: readonly FeedState[]): States =>
  new Map(states.map((state) => [state.sourceNumber, state]));

/** Follows the freshness report; a source that was never loaded is `failing` with a stored problem, else `stale`. */
function statusOf(source: Source, states: States, nowMs: number): (typeof SOURCE_STATUSES)[number] {
  const state = states.get(source.number);
  const { status } = judgeFreshness(source, state, nowMs);
  if (status === 'fresh') return 'ok';
  if (status === 'missing')
    return (state?.problem ?? state?.quarantine ?? null) === null ? 'stale' : 'failing';
  return status;
}

/** The registry for licensed callers (decisions 3.5), with the fields that G8 hides from others. */
export function presentSources(
  sources: readonly Source[],
  feedStates: readonly FeedState[],
  nowMs: number,
): LicensedSource[] {
  const states = byNumber(feedStates);
  return sources.map((source) => ({
    id: source.id,
    provider: source.provider,
    name: source.name,
    type: source.type,
    url: source.url,
    status: isInUse(source) ? statusOf(source, states, nowMs) : 'disabled',
    category: source.category,
    categories: [...source.categories],
    entityTypes: [...source.entityTypes],
    format: source.format,
    licenseMode: source.licenceMode,
    tags: [...source.tags],
    confidenceBase: confidenceBaseOf(source),
    retentionDays: source.retentionDays,
    threatClass: source.threatClass,
    fpRisk: source.fpRisk,
    signal: source.signal,
    lastFetchedAt: fetchedAt(source),
    entries: source.entries,
  }));
}

export type GatheredSources = {
  readonly sources: readonly Source[];
  readonly states: readonly FeedState[];
  /** Entries that began, and entries that were dropped, in the last 24 hours, by source number. */
  readonly added24h: ReadonlyMap<number, number>;
  readonly removed24h: ReadonlyMap<number, number>;
  readonly indicators: number;
  readonly nowMs: number;
};

/** The `data` of /sources/statistics (decisions 3.5). */
export function presentStatistics(gathered: GatheredSources): SourceStatistics {
  const { sources, nowMs } = gathered;
  const states = byNumber(gathered.states);
  const active = sources.filter(isInUse);
  const rows = active.map((source) => ({
    id: source.id,
    name: source.name,
    entries: source.entries,
    added24h: gathered.added24h.get(source.number) ?? 0,
    removed24h: gathered.removed24h.get(source.number) ?? 0,
    lastFetchedAt: fetchedAt(source),
    status: statusOf(source, states, nowMs),
  }));
  const lastIngestS = Math.max(0, ...active.map(({ lastFetchAtS }) => lastFetchAtS));
  return {
    totalSources: sources.length,
    activeSources: active.length,
    failingSources: rows.filter(({ status }) => status === 'failing').length,
    byType: countBy(active, ({ type }) => type),
    byCategory: countBy(active, ({ category }) => category),
    byThreatClass: countBy(active, ({ threatClass }) => threatClass),
    totalIndicators: gathered.indicators,
    sourceCount: sources.filter(hasData).length,
    lastIngestAt: lastIngestS === 0 ? null : new Date(lastIngestS * 1_000).toISOString(),
    sources: rows,
  };
}

function countBy(sources: readonly Source[], nameOf: (source: Source) => string): Record<string, number> {
  const counts = new Map<string, number>();
  for (const source of sources) counts.set(nameOf(source), (counts.get(nameOf(source)) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const fetchedAt = ({ lastFetchAtS }: Source): string | null =>
  lastFetchAtS === 0 ? null : new Date(lastFetchAtS * 1_000).toISOString();
