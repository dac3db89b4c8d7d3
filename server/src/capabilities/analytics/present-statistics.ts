import { hasData, type Source } from '#capabilities/corpus/index.ts';
import { type RiskLevel, stalenessOf } from '#domain/scoring/index.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { AccusedExample } from './choose-accused.ts';
import { type AllSlices, type ThreatStatistics, TIMELINE_DAYS } from './contract.ts';
import type { LevelCounts } from './count-levels.ts';
import { type CorpusCounts, isCounted, threatsOfType } from './count-threats.ts';

/** Counts that need scans of their own; null until the first scan. */
export type SliceCounts = {
  readonly levels: LevelCounts | null;
  readonly countries: Readonly<Record<string, number>> | null;
  readonly accused: AccusedExample | null;
};

export type RecentActivity = {
  readonly added24h: number;
  readonly removed24h: number;
  readonly added7d: number;
  readonly addedBefore7d: number;
};
export type DayActivity = { readonly day: string; readonly added: number; readonly removed: number };

const TOP_SOURCES = 20;
const SHARE_DIGITS = 10_000;

const NO_PATTERNS: AllSlices['vulnerabilityPatterns'] = {
  bySeverity: {},
  kev: null,
  activeExploit: null,
  topCwes: [],
  loaded: false,
};

export const NO_SLICES: SliceCounts = { levels: null, countries: null, accused: null };

export type Gathered = {
  readonly counts: CorpusCounts;
  readonly slices: SliceCounts;
  readonly sources: readonly Source[];
  readonly recent: RecentActivity;
  readonly days: readonly DayActivity[];
  /** Patterns of the CVE catalogue; absent where they were not counted. */
  readonly patterns?: AllSlices['vulnerabilityPatterns'];
  readonly nowMs: number;
};

export function presentStatistics(gathered: Gathered): ThreatStatistics {
  const { counts, slices, sources, recent, days, patterns, nowMs } = gathered;
  const [ip, domain] = [threatsOfType(counts, 'ip'), threatsOfType(counts, 'domain')];
  const figures = sourceFigures(sources, nowMs);
  const analytics: AllSlices = {
    threatOverview: {
      totalThreats: counts.threats,
      byType: { ip, domain, url: threatsOfType(counts, 'url'), hash: threatsOfType(counts, 'hash') },
      added24h: recent.added24h,
      removed24h: recent.removed24h,
      indicators: counts.indicators,
      sourceCount: figures.sourceCount,
    },
    categoryBreakdown: breakdown(counts),
    topSources: topSources(sources),
    threatDistribution: distribution(slices.levels),
    threatTimeline: fillDays(days, nowMs),
    geoThreatMap: threatMap(slices.countries),
    vulnerabilityPatterns: patterns ?? NO_PATTERNS,
  };
  return {
    stats: {
      totalThreats: counts.threats,
      byType: { domains: domain, ips: ip },
      recentActivity: {
        last24h: recent.added24h,
        last7d: recent.added7d,
        growthRate: growthRate(recent.added7d, recent.addedBefore7d),
      },
      indicators: counts.indicators,
      ...figures,
      accusedExample: slices.accused,
    },
    analytics,
  };
}

/** (last7d - prev7d) / prev7d x 100, and 0 without a previous week (decisions 3.15). */
export const growthRate = (last7d: number, before7d: number): number =>
  before7d === 0 ? 0 : Math.round(((last7d - before7d) / before7d) * 10_000) / 100;

function breakdown(counts: CorpusCounts): AllSlices['categoryBreakdown'] {
  return Object.entries(counts.threatsByCategory)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([category, count]) => ({
      category,
      count,
      share: Math.round((count / counts.threats) * SHARE_DIGITS) / SHARE_DIGITS,
    }));
}

const LEVELS: readonly RiskLevel[] = ['critical', 'high', 'medium', 'low', 'inconclusive', 'safe'];
const distribution = (levels: LevelCounts | null): AllSlices['threatDistribution'] =>
  levels === null
    ? []
    : LEVELS.map((level) => {
        const words = Object.entries(levels[level])
          .map(([word, count]) => ({ word, count }))
          .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1));
        return { level, count: words.reduce((sum, { count }) => sum + count, 0), words };
      });

const threatMap = (countries: SliceCounts['countries']): AllSlices['geoThreatMap'] =>
  Object.entries(countries ?? {})
    .map(([countryCode, count]) => ({ countryCode, count }))
    .sort((a, b) => b.count - a.count || (a.countryCode < b.countryCode ? -1 : 1));

/** Figures about the sources that have data. A publisher's clock may run ahead; its date is then limited to now. */
function sourceFigures(
  sources: readonly Source[],
  nowMs: number,
): Pick<ThreatStatistics['stats'], 'sourceCount' | 'freshSourceCount' | 'newestDataAt'> {
  const listing = sources.filter(hasData);
  const newestS = Math.max(0, ...listing.map(({ dataAtS }) => dataAtS));
  const newestDataAt = newestS === 0 ? null : new Date(Math.min(nowMs, newestS * 1_000)).toISOString();
  const fresh = listing.filter((source) => stalenessOf(source, nowMs).isFresh);
  return { sourceCount: listing.length, freshSourceCount: fresh.length, newestDataAt };
}

const topSources = (sources: readonly Source[]): AllSlices['topSources'] =>
  sources
    .filter((source) => isCounted(source) && source.entries > 0)
    .sort((a, b) => b.entries - a.entries || (a.id < b.id ? -1 : 1))
    .slice(0, TOP_SOURCES)
    .map(({ id, name, entries }) => ({ id, name, count: entries }));

/** Thirty days, oldest first; a day without activity is zero, not missing. */
export function fillDays(days: readonly DayActivity[], nowMs: number): DayActivity[] {
  const known = new Map(days.map((each) => [each.day, each]));
  return Array.from({ length: TIMELINE_DAYS }, (_, at) => {
    const day = dayOf(nowMs - (TIMELINE_DAYS - 1 - at) * DAY_MS);
    return { day, added: known.get(day)?.added ?? 0, removed: known.get(day)?.removed ?? 0 };
  });
}

export const timelineStartMs = (nowMs: number): number =>
  Math.floor(nowMs / DAY_MS) * DAY_MS - (TIMELINE_DAYS - 1) * DAY_MS;

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
