import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type Environment, openEnvironment, openTable } from '#platform/lmdb.ts';
import {
  bucketKey,
  checkedEntries,
  countAt,
  PREFIXES,
  prefixOfKey,
  SUFFIX_DIGITS,
  suffixAt,
} from './bucket.ts';
import { BUCKETS, type Coverage, prefixText } from './corpus-head.ts';
import { PasswordsRefused } from './hash-lines.ts';
import { entryTextLength } from './render-range.ts';

/** What all buckets of a file add up to. */
export type Contents = {
  readonly entries: number;
  readonly buckets: number;
  readonly digest: string;
  readonly entriesTextMax: number;
  /** The widest stretch without a hash, as a share of what is covered, and the prefix where it ends. */
  readonly widestGap: { readonly share: number; readonly before: number };
};

/** After this many buckets the event loop gets a turn, so that timers can print the progress. */
const BUCKETS_A_TURN = 1_024;
const SUFFIXES = 16 ** SUFFIX_DIGITS;
/**
 * Hashes are evenly distributed, so the widest gap between n of them is about ln(n)/n of the whole; a gap wider by 30/n
 * occurs in one honest corpus in 10^13. A list that was cut at the end of a line, or lacks a part in the middle, is thus
 * detected without knowing its length.
 */
const GAP_SLACK = 30;

/** Reads every bucket, so that a faulty disk and an incomplete list are detected before the corpus is used. */
export async function readBack(
  file: string,
  covered: Coverage,
  onProgress?: (prefixes: number, entries: number) => void,
): Promise<Contents> {
  const environment = openEnvironment(file, 'read');
  try {
    return await addUp(environment, covered, onProgress);
  } finally {
    await environment.close();
  }
}

async function addUp(
  environment: Environment,
  { first, last }: Coverage,
  onProgress: ((prefixes: number, entries: number) => void) | undefined,
): Promise<Contents> {
  const table = openTable(environment, BUCKETS);
  const digest = createHash('sha256');
  let [entries, buckets, entriesTextMax, position, gap, gapBefore] = [0, 0, 0, first, 0, first];
  const note = (next: number, prefix: number): void => {
    if (next - position > gap) [gap, gapBefore] = [next - position, prefix];
    position = next;
  };
  for (let from = 0; from < PREFIXES && table !== undefined; ) {
    const before = buckets;
    let next = PREFIXES;
    for (const { key, value } of table.getRange({ start: bucketKey(from), limit: BUCKETS_A_TURN })) {
      const bucket = value as Buffer;
      const inBucket = checkedEntries(bucket);
      const prefix = prefixOfKey(key);
      let text = 0;
      for (let at = 0; at < inBucket; at += 1) {
        note(prefix + suffixAt(bucket, at) / SUFFIXES, prefix);
        text += entryTextLength(countAt(bucket, inBucket, at));
      }
      next = prefix + 1;
      digest.update(key).update(bucket);
      [entries, buckets, entriesTextMax] = [entries + inBucket, buckets + 1, Math.max(entriesTextMax, text)];
    }
    from = buckets - before < BUCKETS_A_TURN ? PREFIXES : next;
    onProgress?.(from, entries);
    await turn();
  }
  note(last + 1, last);
  return {
    entries,
    buckets,
    digest: digest.digest('hex'),
    entriesTextMax,
    widestGap: { share: gap / (last + 1 - first), before: gapBefore },
  };
}

/** Throws if the contents are empty or have a gap that a complete list cannot have. */
export function refuseIncomplete({ entries, widestGap: { share, before } }: Contents): void {
  if (entries === 0) throw new PasswordsRefused('There are no hashes in what was given.');
  if (share * entries > Math.log(entries) + GAP_SLACK)
    throw new PasswordsRefused(
      `The list is not complete: no hash lies in a stretch of ${(share * 100).toPrecision(2)} % of all possible ones, before or in ${prefixText(before)}.`,
    );
}
