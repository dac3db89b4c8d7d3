import { familyNameOf } from '#domain/families/family-name.ts';
import type { Clock } from '#platform/clock.ts';
import { keepValue } from '#platform/kept-value.ts';
import type { Postgres } from '#platform/postgres.ts';
import { readMembers } from './read-rows.ts';
import { familyWordsAfter } from './store.ts';

/** The spellings that sources use for a family, given its normal form; undefined when no source names it. */
export type FamilyWords = (name: string) => Promise<readonly string[] | undefined>;

const FRESH_MS = 300_000;
/** 5,000 passed the statement timeout on a table that was not vacuumed, under a load of 22 on two cores. */
const WORDS_PER_STATEMENT = 500;
/** More words are not read; the lists of the catalogue use about a tenth of this. */
const WORDS_MAX = 200_000;

/**
 * Caches the names that sources give to families: some ten thousand words, which took 0.7 to 2 s to read under a load
 * of 21 on two cores. They are read again in the background, at most once in five minutes; only a request for an
 * unknown name waits for it.
 */
export function createFamilyWords(deps: {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly postgres: Pick<Postgres, 'transaction'>;
}): FamilyWords {
  let last: ReadonlyMap<string, readonly string[]> | null = null;
  const read = keepValue({
    clock: deps.clock,
    freshMs: FRESH_MS,
    load: async () => {
      last = byName(await readWords(deps.postgres));
      return last;
    },
  });
  return async (name) => {
    const known = last?.get(name);
    const reading = read();
    if (known === undefined) return (await reading).get(name);
    // A failed reading is ignored: the words of the last one are used, and the next call tries again.
    reading.catch(() => undefined);
    return known;
  };
}

const readWords = (postgres: Pick<Postgres, 'transaction'>): Promise<readonly string[]> =>
  readMembers(postgres, async (tx) => {
    const words: string[] = [];
    while (words.length < WORDS_MAX) {
      const found = await familyWordsAfter(tx, words.at(-1) ?? '', WORDS_PER_STATEMENT);
      words.push(...found);
      if (found.length < WORDS_PER_STATEMENT) break;
    }
    return words;
  });

function byName(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const word of words) {
    const name = familyNameOf(word);
    if (name === null) continue;
    const known = found.get(name);
    if (known === undefined) found.set(name, [word]);
    else known.push(word);
  }
  return found;
}
