import type { Move, StoodAs } from '#capabilities/standing/index.ts';

/** Categories of a source by its number. */
export type CategoriesOf = (source: number) => readonly string[];

export type MoveNews =
  | { readonly type: 'threat.new' }
  | { readonly type: 'threat.updated'; readonly changed: readonly ('sources' | 'categories' | 'score')[] }
  | { readonly type: 'reputation.changed' };

type Standing = Pick<StoodAs, 'level' | 'score' | 'sources'>;

/**
 * The event type for a change of an indicator's listings: a new level is a changed reputation; the same level with
 * other sources is an updated threat; only new dates from the same sources are no news. `after` is the current
 * judgement, which exists even when no source lists the indicator any longer.
 */
export function newsOf(
  before: Standing | null,
  after: Standing,
  categoriesOf: CategoriesOf,
): MoveNews | null {
  if (before === null) return { type: 'threat.new' };
  if (before.level !== after.level) return { type: 'reputation.changed' };
  if (isSame(before.sources, after.sources)) return null;
  const categories = (of: Standing) => categoriesOfAll(of.sources, categoriesOf);
  return {
    type: 'threat.updated',
    changed: [
      'sources',
      ...(isSame(categories(before), categories(after)) ? [] : (['categories'] as const)),
      ...(before.score === after.score ? [] : (['score'] as const)),
    ],
  };
}

/** The sources that began to list the indicator, and those that dropped it. */
export function differenceOf(
  before: Pick<StoodAs, 'sources'> | null,
  after: Pick<StoodAs, 'sources'> | null,
): { readonly added: readonly number[]; readonly removed: readonly number[] } {
  const [was, is] = [new Set(before?.sources), new Set(after?.sources)];
  return {
    added: [...is].filter((source) => !was.has(source)),
    removed: [...was].filter((source) => !is.has(source)),
  };
}

/** True if each changed listing belongs to a merge that is told as one summary, so no event is needed. */
export function isFolded({ before, after }: Move, folded: ReadonlySet<number>): boolean {
  if (folded.size === 0) return false;
  const { added, removed } = differenceOf(before, after);
  return added.length + removed.length > 0 && [...added, ...removed].every((source) => folded.has(source));
}

/** The score from redistributable sources alone at which an indicator enters the shared collections. */
const EXPORT_MIN_SCORE = 35;
export const isPublished = (before: Pick<StoodAs, 'sharedScore'> | null, sharedScore: number): boolean =>
  sharedScore >= EXPORT_MIN_SCORE && (before === null || before.sharedScore < EXPORT_MIN_SCORE);

export const categoriesOfAll = (sources: readonly number[], categoriesOf: CategoriesOf): readonly string[] =>
  [...new Set(sources.flatMap(categoriesOf))].sort();

const isSame = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((each, index) => each === other[index]);
