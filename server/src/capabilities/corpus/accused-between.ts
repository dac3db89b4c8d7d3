import { accuses } from './contract.ts';
import { LISTINGS, RELATED } from './dataset.ts';
import type { CorpusView, ListingReader } from './listing-reader.ts';

/** Keys from `from` up to and including `last`. */
export type KeySpan = { readonly from: Uint8Array; readonly last: Uint8Array };

export type AccusedKeys = {
  /** The accused keys in key order, each with the earliest first sighting of its listings in seconds. */
  readonly accused: readonly { readonly key: Uint8Array; readonly firstSeenS: number }[];
  readonly keysRead: number;
  /** What is left for the next step; null when the span is read to its end. */
  readonly rest: KeySpan | null;
};

export type ListedKeys = { readonly keys: readonly Uint8Array[]; readonly rest: KeySpan | null };

/**
 * One step of a walk, in key order, through all keys for which a lookup finds something: listings of any source,
 * accusing or not, and listings of pages on an address. A key with both appears once.
 */
export function listedBetween(view: CorpusView, { from, last }: KeySpan, keysMax: number): ListedKeys {
  const pages = [LISTINGS, RELATED].map(
    (collection) => view.keysBetween?.(collection, from, justAfter(last), keysMax) ?? [],
  );
  // A full page may end before its collection does, so the step ends at the first last key of a full page.
  const ends = pages.flatMap((page) => (page.length < keysMax ? [] : [page.at(-1) as Uint8Array]));
  const end = ends.sort((a, b) => Buffer.compare(a, b))[0];
  const keys = pages.flat().sort((a, b) => Buffer.compare(a, b));
  const distinct = keys.filter((key, at) => {
    const before = keys[at - 1];
    if (before !== undefined && Buffer.compare(before, key) === 0) return false;
    return end === undefined || Buffer.compare(key, end) <= 0;
  });
  return { keys: distinct, rest: end === undefined ? null : { from: justAfter(end), last } };
}

/** Reads at most `keysMax` keys, so that a caller who walks a large span can let other requests pass between steps. */
export function accusedBetween(
  view: CorpusView,
  reader: ListingReader,
  { from, last }: KeySpan,
  keysMax: number,
): AccusedKeys {
  const keys = view.keysBetween?.(LISTINGS, from, justAfter(last), keysMax) ?? [];
  const accused = keys.flatMap((key) => {
    const firstSeenS = firstAccusedS(view, reader, key);
    return firstSeenS === null ? [] : [{ key, firstSeenS }];
  });
  const final = keys.at(-1);
  const isWhole = final === undefined || keys.length < keysMax;
  return { accused, keysRead: keys.length, rest: isWhole ? null : { from: justAfter(final), last } };
}

/** The earliest first sighting among the sources that accuse this key now, in seconds; null when none does. */
function firstAccusedS(view: CorpusView, reader: ListingReader, key: Uint8Array): number | null {
  reader.begin(view);
  reader.read(key, 'exact', '');
  let earliest: number | null = null;
  for (const { source, firstSeenS, isDelisted } of reader.listings)
    if (accuses(source) && isDelisted !== true)
      earliest = earliest === null ? firstSeenS : Math.min(earliest, firstSeenS);
  return earliest;
}

/** The next possible key in byte order, used because the end of `keysBetween` is exclusive. */
const justAfter = (key: Uint8Array): Uint8Array => Buffer.concat([key, Buffer.of(0)]);
