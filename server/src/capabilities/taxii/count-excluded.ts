import { accuses, mayBeShared, type Source } from '#capabilities/corpus/index.ts';
import { scoreCategoryOf } from '#domain/scoring/index.ts';
import { addExcluded, type Excluded, NOTHING_EXCLUDED } from '#domain/shared-lists/index.ts';
import type { Db } from '#platform/postgres.ts';
import { bitOf, collectionsHolding, SHARED_IDS, type SharedId } from './collections.ts';
import { type CountedClass, countedClasses, countedUrls } from './excluded-store.ts';
import { type ExportDeps, stixKindOfKey } from './export-classes.ts';
import { EXPORT_MIN_SCORE } from './judge-export.ts';

export type ExcludedCounts = Readonly<Record<SharedId, Excluded>>;

/** The categories whose collections hold URLs too. */
const OF_CATEGORY = { 'c2-indicators': 'c2', 'phishing-indicators': 'phishing' } as const;

/** Counts for each collection the indicators that a source lists and that the collection does not contain, by reason. */
export async function countExcluded(tx: Db, { judge, audience }: ExportDeps): Promise<ExcludedCounts> {
  const { sources } = judge.corpus.registry();
  const byNumber = new Map(sources.map((source) => [source.number, source]));
  const counts = new Map<SharedId, Excluded>(SHARED_IDS.map((id) => [id, NOTHING_EXCLUDED]));
  const add = (id: SharedId, reason: keyof Excluded, entries: number): void => {
    counts.set(id, addExcluded(counts.get(id) ?? NOTHING_EXCLUDED, reason, entries));
  };
  for (const each of await countedClasses(tx)) {
    const listing = (each.sources ?? []).flatMap((number) => byNumber.get(number) ?? []);
    const categories = listing.map(({ category }) => scoreCategoryOf(category));
    const wanted = collectionsHolding(stixKindOfKey(Buffer.of(each.kind)), categories) & ~each.collections;
    for (const id of SHARED_IDS) if ((wanted & bitOf(id)) !== 0) add(id, reasonOf(each), each.members);
  }
  const isOpen = (source: Source) =>
    audience === 'internal' ? source.exported !== false : mayBeShared(source);
  for (const [id, category] of Object.entries(OF_CATEGORY) as readonly (readonly [SharedId, string])[]) {
    const of = sources.filter(
      (one) => one.enabled && accuses(one) && scoreCategoryOf(one.category) === category,
    );
    const numbersOf = (some: readonly Source[]) => some.map(({ number }) => number);
    const urls = await countedUrls(tx, {
      sources: numbersOf(of),
      open: numbersOf(of.filter(isOpen)),
      bit: bitOf(id),
    });
    // A guard of the host lowers the score of its pages, so pages that an allowlist keeps out count as below the score.
    add(id, 'belowScore', urls.belowScore);
    add(id, 'license', urls.license);
  }
  return Object.fromEntries(counts) as Record<SharedId, Excluded>;
}

/** Indicators that reach the score by everything known are missing for their license alone. */
const reasonOf = ({ isWithheld, score }: CountedClass): keyof Excluded => {
  if (isWithheld) return 'allowlisted';
  return score >= EXPORT_MIN_SCORE ? 'license' : 'belowScore';
};
