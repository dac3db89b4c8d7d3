import { DEFAULT_THREAT_SOURCES } from '#capabilities/catalogue/index.ts';
import type { IndicatorContext, Listing, Registry } from '#capabilities/corpus/index.ts';
import type { Imitation } from '#domain/lookalike/index.ts';
import {
  type AsnListing,
  agesByEntry,
  type CorpusFacts,
  corpusFactsOf,
  hourOf,
  judgeCase,
  nameFactsOf,
  parentFactsOf,
  type SignalFacts,
  type Subject,
  type SubjectKind,
  type Verdict,
  weightsOf,
} from '#domain/scoring/index.ts';
import type { WeightBook } from '#domain/weights/index.ts';

export type JudgeInput = {
  readonly subject: Subject;
  readonly listings: readonly Listing[];
  readonly context: IndicatorContext;
  readonly asn: AsnListing | null;
  readonly registry: Registry;
  readonly nowMs: number;
  readonly lookalike?: Imitation | null;
  /** A scanner answered, with or without a finding: one more engine than the lists have (G55). */
  readonly hasScanner?: boolean;
  readonly signals?: SignalFacts | null;
  /** What the lists of names are worth. Absent: the table that comes with the release; null: model 2. */
  readonly weights?: WeightBook | null;
  /** The organization of the caller allows it. */
  readonly isAllowed?: boolean;
};

export type VerdictMemo = {
  readonly judge: (input: JudgeInput) => Verdict;
  readonly corpusFacts: (registry: Registry, kind: SubjectKind, nowMs: number) => CorpusFacts;
};

/**
 * 1,000 source sets cover 99.8 % of real listings (ruling 11); dates and ranges multiply them. The cache has two
 * halves: when the newer is full, the older one is dropped, so that verdicts in use stay.
 */
const VERDICTS_HALF = 10_000;

/**
 * Real listings repeat, so the verdict is cached by everything it depends on: kind, source set with match and
 * hours, context, registry, hour (ruling 11). Nothing is kept beyond the hour or the state of the registry.
 */
export function createVerdictMemo(): VerdictMemo {
  let registry: Registry | null = null;
  let weights: WeightBook | null | undefined;
  let nowH = -1;
  let newer = new Map<string, Verdict>();
  let older = new Map<string, Verdict>();
  const facts = new Map<SubjectKind, CorpusFacts>();
  const turnTo = (asked: Registry, nowMs: number): void => {
    const hour = hourOf(nowMs / 1_000);
    if (asked === registry && hour === nowH) return;
    registry = asked;
    nowH = hour;
    forget();
    facts.clear();
  };
  const forget = (): void => {
    newer.clear();
    older.clear();
  };
  const keep = (key: string, verdict: Verdict): Verdict => {
    if (newer.size >= VERDICTS_HALF) {
      older = newer;
      newer = new Map();
    }
    newer.set(key, verdict);
    return verdict;
  };
  const corpusFacts: VerdictMemo['corpusFacts'] = (asked, kind, nowMs) => {
    turnTo(asked, nowMs);
    const known = facts.get(kind);
    if (known !== undefined) return known;
    const found = corpusFactsOf(asked.sources, kind, nowH, DEFAULT_THREAT_SOURCES);
    facts.set(kind, found);
    return found;
  };
  return {
    corpusFacts,
    judge: (input) => {
      turnTo(input.registry, input.nowMs);
      if (input.weights !== weights) {
        weights = input.weights;
        forget();
      }
      const key = keyOf(input);
      const known = newer.get(key);
      if (known !== undefined) return known;
      const kept = older.get(key);
      if (kept !== undefined) return keep(key, kept);
      const ofLists = corpusFacts(input.registry, input.subject.kind, input.nowMs);
      const corpus =
        input.hasScanner === true ? { ...ofLists, freshScanners: ofLists.freshScanners + 1 } : ofLists;
      return keep(key, judgeCase({ ...input, corpus, nowH }));
    },
  };
}

/** Part of the key: the guards and rank of the parent domain from which a listing is inherited. */
function guardsOf({ inheritedGuards }: IndicatorContext, matched: string): string {
  let key = '';
  for (const { guard, rankBucket, ...of } of inheritedGuards)
    if (of.matched === matched) key += `^${guard}${rankBucket ?? ''}`;
  return key;
}

/** Dates at the precision the verdict needs: the day, the hour where an entry ages by it, nothing when undated. */
function datesOf({ source, dating, firstSeenS, hasOwnLastSeen }: Listing, input: JudgeInput): string {
  const own = hasOwnLastSeen === true ? 's' : '';
  if (dating === 'undated') return `${own}u`;
  const hour = hourOf(firstSeenS);
  const isByHour = agesByEntry(source) || weightsOf(input).classOf(source) === 'keeps';
  return `${own}${dating.charAt(0)}${isByHour ? hour : Math.floor(hour / 24)}`;
}

/** The key holds the words, platforms and brands that the verdict's sentence quotes. */
function signalKey({ neighbourhood, name, imitates, tenant, brand }: SignalFacts): string {
  let key = `~${neighbourhood ?? ''}~${name === null ? '' : `${name.words.join(' ')} ${name.suffix}`}~${imitates ?? ''}`;
  if (tenant !== null)
    key += `~t${tenant.platform} ${tenant.named} ${tenant.digits} ${tenant.facts.join(' ')}`;
  if (brand !== null) key += `~b${brand.technique} ${brand.brand}`;
  return key;
}

/**
 * Everything that `judgeCase` reads, and no more: the name itself is left out, so that names with equal
 * listings share a verdict.
 */
function keyOf(input: JudgeInput): string {
  const { subject, listings, context, asn, hasScanner, lookalike, signals } = input;
  let key = `${subject.kind}${subject.ipVersion ?? ''}${context.isReserved ? 'r' : ''}${context.isTenantSuffix ? 't' : ''}${nameFactsOf(input)}`;
  if (hasScanner === true) key += 's';
  if (input.isAllowed === true) key += 'a';
  if (subject.carrier !== undefined) key += `@${subject.carrier}`;
  if (subject.posedHost !== undefined) key += `@@${subject.posedHost}`;
  if (lookalike) key += `~${lookalike.of} ${lookalike.technique}`;
  if (context.service) key += `=${context.service.name}`;
  if (signals !== undefined && signals !== null) key += signalKey(signals);
  // Listed guards are covered by the listings below, but the guard of a public suffix is not a listing.
  for (const { guard, scope } of context.guards) key += `,${guard}${scope}`;
  if (listings.length === 0) return key;
  key += `|${context.rankBucket ?? ''}|${asn === null ? '' : `${asn.asn} ${asn.sourceId}`}`;
  for (const listing of listings) {
    const { source, matchType, prefixBits, lastSeenS, isDelisted, matched } = listing;
    const ofHost = subject.kind === 'url' && matched !== subject.value ? 'h' : '';
    const met = matchType === 'parent' ? guardsOf(context, matched) : '';
    key += `;${met}${source.number}${matchType}${prefixBits ?? ''}${ofHost}${isDelisted === true ? 'd' : ''}@${hourOf(lastSeenS)}${datesOf(listing, input)}${parentFactsOf(listing, input)}`;
  }
  return key;
}
