import { DAY_MS } from '#platform/time-units.ts';
import type { CveFact } from '../fact.ts';
import type { EpssQuery, EpssStatistics } from './contract.ts';
import type { PackedFacts } from './packed-facts.ts';

const BUCKET_COUNT = 10;

export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The facts are sorted by EPSS, highest first, so a percentile is read at its position among the matches. */
export function countEpss(facts: PackedFacts, query: EpssQuery): EpssStatistics {
  const counts = Array.from({ length: BUCKET_COUNT }, () => 0);
  const scores: number[] = [];
  const top: EpssStatistics['top'] = [];
  const tally = { total: 0, above10pct: 0, above50pct: 0, kevCount: 0, activeExploitCount: 0 };
  let sum = 0;
  for (let at = 0; at < facts.length; at += 1) {
    const fact = facts.fact(at);
    const { epss } = fact;
    // CVEs without a score come last, so nothing after this one counts.
    if (epss === null) break;
    tally.total += 1;
    if (!isWanted(fact, epss, query)) continue;
    const bucket = Math.min(BUCKET_COUNT - 1, Math.floor(epss * BUCKET_COUNT));
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    scores.push(epss);
    sum += epss;
    if (epss >= 0.1) tally.above10pct += 1;
    if (epss >= 0.5) tally.above50pct += 1;
    if (fact.isKev) tally.kevCount += 1;
    if (fact.exploitation === 'active') tally.activeExploitCount += 1;
    if (top.length < query.limit) top.push(topOf(facts.id(at), fact, epss));
  }
  const { total, ...matched } = tally;
  if (total === 0) return NOT_LOADED;
  return {
    distribution: counts.map((count, at) => ({
      bucket: `${(at / BUCKET_COUNT).toFixed(1)}-${((at + 1) / BUCKET_COUNT).toFixed(1)}`,
      min: at / BUCKET_COUNT,
      max: (at + 1) / BUCKET_COUNT,
      count,
    })),
    top,
    summary: {
      total,
      matching: scores.length,
      mean: scores.length === 0 ? null : rounded(sum / scores.length),
      median: quantile(scores, 0.5),
      p95: quantile(scores, 0.95),
      ...matched,
      modelDate: facts.modelDay === null ? null : dayText(facts.modelDay),
    },
    loaded: true,
  };
}

/** Without any score nothing was counted, and zeros would read as a finding (decisions O77). */
const NOT_LOADED: EpssStatistics = {
  distribution: [],
  top: [],
  summary: {
    total: null,
    matching: null,
    mean: null,
    median: null,
    p95: null,
    above10pct: null,
    above50pct: null,
    kevCount: null,
    activeExploitCount: null,
    modelDate: null,
  },
  loaded: false,
  message:
    'No EPSS scores are loaded on this service. The worker loads them when FEEDS_ENABLED is true; from a file: npm run admin -- cve load epss FILE',
};

const isWanted = (fact: CveFact, epss: number, { minEpss, kev, exploit }: EpssQuery): boolean =>
  epss >= minEpss && (kev !== true || fact.isKev) && (exploit === undefined || fact.exploitation === exploit);

const topOf = (id: string, fact: CveFact, epss: number): EpssStatistics['top'][number] => ({
  id,
  epssScore: epss,
  epssPercentile: fact.percentile,
  cvssScore: fact.score,
  severity: fact.severity,
  isKev: fact.isKev,
  exploitation: fact.exploitation,
  published: fact.publishedDay === null ? null : dayText(fact.publishedDay),
});

/** The quantile by nearest rank; `scores` must be sorted from high to low. */
function quantile(scores: readonly number[], part: number): number | null {
  if (scores.length === 0) return null;
  const rank = Math.max(1, Math.ceil(part * scores.length));
  return scores[scores.length - rank] ?? null;
}

const rounded = (value: number): number => Math.round(value * 100_000) / 100_000;
