import { familyNameOf } from '#domain/families/family-name.ts';
import type { Clock } from '#platform/clock.ts';
import { keepValue } from '#platform/kept-value.ts';
import type { Postgres } from '#platform/postgres.ts';
import { readMembers } from './read-rows.ts';
import { familyWordsAfter } from './store.ts';

/** How sources write a family, by its normal form; undefined when none names it. */
export type FamilyWords = (name: string) => Promise<readonly string[] | undefined>;

const FRESH_MS = 300_000;
/** 5,000 took longer than a statement may, on a table that was not vacuumed and a machine with a load of 22 on two cores. */
const WORDS_PER_STATEMENT = 500;
/** Ten times what the lists of the catalogue use. */
const WORDS_MAX = 200_000;

/**
 * Sources use some ten thousand words; reading them took 0.7 to 2 s on a machine with a load of 21 on two cores. So each process
 * keeps them and reads them again behind an answer, at most once in five minutes. Only a name that is not among them
 * waits for that.
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
    // The words of the last reading are used, and the next call reads again.
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
