import type { Move, StoodAs } from '#capabilities/standing/index.ts';

/** Categories of a source by its number. */
export type CategoriesOf = (source: number) => readonly string[];

export type MoveNews =
  | { readonly type: 'threat.new' }
  | { readonly type: 'threat.updated'; readonly changed: readonly ('sources' | 'categories' | 'score')[] }
  | { readonly type: 'reputation.changed' };

type Standing = Pick<StoodAs, 'level' | 'score' | 'sources'>;

/**
 * What a change of listings is called. Another level is a changed reputation; the same level with other sources is an
 * updated threat; another date of the same sources is no news. `after` is the judgement of now, also of an indicator that
 * no source lists any longer.
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

/** Sources that list it now and did not before, and the other way round. */
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

/** Whether a merge that has its own summary explains the whole change. */
export function isFolded({ before, after }: Move, folded: ReadonlySet<number>): boolean {
  if (folded.size === 0) return false;
  const { added, removed } = differenceOf(before, after);
  return added.length + removed.length > 0 && [...added, ...removed].every((source) => folded.has(source));
}

/** An indicator enters the shared collections with this score of what may be passed on. */
const EXPORT_MIN_SCORE = 35;
export const isPublished = (before: Pick<StoodAs, 'sharedScore'> | null, sharedScore: number): boolean =>
  sharedScore >= EXPORT_MIN_SCORE && (before === null || before.sharedScore < EXPORT_MIN_SCORE);

export const categoriesOfAll = (sources: readonly number[], categoriesOf: CategoriesOf): readonly string[] =>
  [...new Set(sources.flatMap(categoriesOf))].sort();

const isSame = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((each, index) => each === other[index]);
