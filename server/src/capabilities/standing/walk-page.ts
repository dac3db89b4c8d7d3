import { KIND, type WalkableCorpus } from '#capabilities/corpus/index.ts';

export const FIRST_KEY = Buffer.of(KIND.ipv4);
/** Sorts after every key that has a standing. */
export const END_KEY = Buffer.of(KIND.email);
/** URLs lie between the names and the digests, and have no standing. */
const URLS = Buffer.of(KIND.url);
const DIGESTS = Buffer.of(KIND.md5);

export type WalkPage = {
  /** Accused keys of the page, in order. */
  readonly keys: readonly Uint8Array[];
  /** The last key that the page covers; null: it covers all keys below `end`. */
  readonly through: Buffer | null;
  readonly end: Buffer;
  /** Where the next page begins; null after the last one. */
  readonly next: Buffer | null;
};

/** The accused keys after `after`, of at most `keysMax` keys that are read. */
export function walkPage(corpus: WalkableCorpus, after: Buffer, keysMax: number): WalkPage {
  const end = after.compare(URLS) < 0 ? URLS : END_KEY;
  const from = Buffer.concat([after, Buffer.of(0)]);
  const { accused, rest } = corpus.accusedBetween({ from, last: end }, keysMax);
  const through = rest === null ? null : Buffer.from(rest.from.subarray(0, -1));
  return {
    keys: accused.map(({ key }) => key),
    through,
    end,
    next: through ?? (end === URLS ? DIGESTS : null),
  };
}
