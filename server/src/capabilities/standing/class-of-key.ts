import { accuses, indicatorOfKey, type Listing, type WalkableCorpus } from '#capabilities/corpus/index.ts';
import type { NetworkBook } from '#capabilities/enrichment/index.ts';
import { createMoments, gatherCase, type JudgeInput, type MissCache } from '#capabilities/judging/index.ts';
import type { Signals } from '#capabilities/signals/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import type { WeightBook } from '#domain/weights/index.ts';
import { sha256Of } from '#platform/sha256.ts';
import { classFactsOf } from './class-facts.ts';

export type StandingSources = {
  readonly corpus: WalkableCorpus;
  readonly enrichment: { readonly book: () => NetworkBook };
  readonly signals: Pick<Signals, 'book'>;
  /** Absent: the weights that come with the release. */
  readonly weights?: { readonly book: () => WeightBook };
};

export type ClassedKey = {
  readonly key: Uint8Array;
  readonly digest: string;
  readonly input: JudgeInput;
  readonly site: bigint | null;
};

/** Reads one key from the replica; null where no source accuses exactly this value now. */
export type Classifier = (key: Uint8Array, nowMs: number) => ClassedKey | null;

const DIGEST_HEX = 32;
/** No cache of misses: only listed hashes are read here, which are never a miss. */
const NO_MISSES: MissCache = { find: () => undefined, add: () => undefined };

export type ReadCase = { readonly inner: Indicator; readonly input: JudgeInput };
/** Everything that the judge reads about a key now; null for a key that cannot be read back, and for a public suffix. */
export type CaseReader = (key: Uint8Array, nowMs: number) => ReadCase | null;

/** A listed name may become a public suffix later. It gets no standing: exported, it would block every name below it. */
export const isPublicSuffix = (indicator: Indicator): boolean =>
  indicator.kind === 'domain' && indicator.registrable === null;

export function createCaseReader(sources: StandingSources): CaseReader {
  const momentOf = createMoments({ ...sources, misses: NO_MISSES });
  return (key, nowMs) => {
    const parsed = indicatorOfKey(key);
    if (parsed?.ok !== true) return null;
    const { inner, moment } = momentOf(parsed.indicator as Indicator, nowMs);
    if (isPublicSuffix(inner)) return null;
    return { inner, input: gatherCase(inner, moment).input };
  };
}

export function createClassifier(sources: StandingSources): Classifier {
  const caseOf = createCaseReader(sources);
  const digestOf = keepDigests();
  return (key, nowMs) => {
    const read = caseOf(key, nowMs);
    if (read === null || !read.input.listings.some(accusesItself)) return null;
    const { inner, input } = read;
    const digest = digestOf(`${key[0]} ${classFactsOf(input)}`);
    return { key, digest, input, site: siteOf(inner) };
  };
}

/** Digests are cached: 3.3 M indicators have 75,000 different facts, and hashing each took 10 s of a walk. */
const DIGESTS_MAX = 100_000;

function keepDigests(): (facts: string) => string {
  const known = new Map<string, string>();
  return (facts) => {
    const kept = known.get(facts);
    if (kept !== undefined) return kept;
    if (known.size >= DIGESTS_MAX) known.clear();
    const digest = sha256Of(facts).slice(0, DIGEST_HEX);
    known.set(facts, digest);
    return digest;
  };
}

const accusesItself = ({ source, matchType, isDelisted }: Listing): boolean =>
  matchType === 'exact' && isDelisted !== true && accuses(source);

/** For a subdomain a digest of its registrable domain, because a listing of any parent changes its facts. */
function siteOf(indicator: Indicator): bigint | null {
  if (indicator.kind !== 'domain') return null;
  const { value, registrable } = indicator;
  return registrable === null || registrable.length === value.length ? null : siteNumber(registrable);
}

/** The digest of the registrable domain of a changed name, which may be the name itself. */
export const siteOfName = (indicator: Indicator): bigint | null =>
  indicator.kind === 'domain' && indicator.registrable !== null ? siteNumber(indicator.registrable) : null;

const siteNumber = (registrable: string): bigint =>
  BigInt.asIntN(64, BigInt(`0x${sha256Of(registrable).slice(0, 16)}`));
