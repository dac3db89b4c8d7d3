import { accuses, type Source } from '#capabilities/corpus/index.ts';
import { AGE_GROUPS, type WeightBook } from '#domain/weights/index.ts';
import { AGES, type SourceFacts } from './contract.ts';

/** How right a source is about names, as the weights in force say; null for a source that lists no threats. */
export function precisionOf(source: Source, book: WeightBook): NonNullable<SourceFacts['precision']> | null {
  if (!accuses(source)) return null;
  const list = book.listOf(source.id);
  return {
    version: book.version,
    class: book.classOf(source),
    judged: list?.judged ?? 0,
    leftWithin30Days: list?.r30 ?? null,
    cells: AGE_GROUPS.flatMap((group, at) => {
      const cell = book.cellOf(source.id, group);
      const age = AGES[at];
      if (cell === null || age === undefined) return [];
      const { n, h, f, points } = cell;
      return [{ age, entries: n, visited: h, oneIn: Math.max(1, Math.round(1 / f)), points }];
    }),
  };
}
