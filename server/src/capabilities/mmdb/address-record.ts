import { contextOf, type Listing } from '#capabilities/corpus/index.ts';
import { createVerdictMemo, type JudgeInput } from '#capabilities/judging/index.ts';
import { type Audience, type CaseReader, openInputOf } from '#capabilities/standing/index.ts';
import { type MmdbValue, Uint } from '#domain/mmdb/index.ts';
import {
  type CorpusFacts,
  hourOf,
  isAccusing,
  isActive,
  isThreat,
  MODEL,
  namesItself,
  scoreCategoryOf,
  standCase,
} from '#domain/scoring/index.ts';

/** What the database says of an address. */
export type AddressRecord = {
  readonly score: number;
  readonly level: string;
  /** Score categories of the sources, sorted. */
  readonly categories: readonly string[];
  /** Ids of the sources that add points, sorted. */
  readonly sources: readonly string[];
  /** Labels of the address, such as tor-exit or cloud, sorted. */
  readonly attributes: readonly string[];
};

/** The least score of shared lists and collections (O39). */
export const EXPORT_MIN_SCORE = MODEL.levels.medium;

type ReadCase = NonNullable<ReturnType<CaseReader>>;
export type RecordJudge = (read: ReadCase, isCovered: boolean) => AddressRecord | null;

export function createRecordJudge(audience: Audience): RecordJudge {
  const memo = createVerdictMemo();
  const corpusFacts = ({ registry, subject, nowMs }: JudgeInput): CorpusFacts =>
    memo.corpusFacts(registry, subject.kind, nowMs);
  return (read, isCovered) => recordOf(read, { audience, isCovered, corpusFacts });
}

/**
 * The rule of the shared lists: 35 points, and a listing of the address itself or of a range around it that is on the list
 * (`isCovered`). Signals count only for an address that is listed itself, because a range is judged by one of its addresses.
 */
function recordOf(
  { inner, input: given }: ReadCase,
  {
    audience,
    isCovered,
    corpusFacts,
  }: {
    readonly audience: Audience;
    readonly isCovered: boolean;
    readonly corpusFacts: (input: JudgeInput) => CorpusFacts;
  },
): AddressRecord | null {
  const open = audience === 'public' ? openInputOf(given) : given;
  const isNamed = open.listings.some(
    (each) => isThreat(each) && isActive(each) && namesItself(each, open.subject),
  );
  if (!isNamed && !isCovered) return null;
  const input = isNamed ? open : { ...open, signals: null };
  const { level, scored } = standCase({
    ...input,
    corpus: corpusFacts(input),
    nowH: hourOf(input.nowMs / 1_000),
  });
  if (!isAccusing(level) || scored.score < EXPORT_MIN_SCORE) return null;
  const counted = scored.counted.filter(({ points, listing }) => points > 0 && isActive(listing));
  const told = audience === 'public' ? input.listings.filter(isPassedOn) : input.listings;
  return {
    score: scored.score,
    level,
    categories: sorted(counted.map(({ listing }) => scoreCategoryOf(listing.source.category))),
    sources: sorted(counted.map(({ listing }) => listing.source.id)),
    attributes: input.context.labels.length === 0 ? [] : contextOf(told, inner).labels,
  };
}

/** Whether the public file may show what this list says; its score is filtered separately (`openInputOf`). */
const isPassedOn = ({ source }: Listing): boolean => source.redistributable;
const sorted = (words: readonly string[]): readonly string[] => [...new Set(words)].sort();

export const mmdbValueOf = ({ score, level, categories, sources, attributes }: AddressRecord): MmdbValue => ({
  score: new Uint(16, score),
  level,
  categories,
  sources,
  attributes,
});
