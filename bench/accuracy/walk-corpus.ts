import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LISTINGS } from '../../server/src/capabilities/corpus/dataset.ts';
import { KIND } from '../../server/src/capabilities/corpus/index.ts';
import { indicatorOfKey } from '../../server/src/capabilities/corpus/indicator-of-key.ts';
import { type Indicator, parseIndicator } from '../../server/src/domain/indicator/index.ts';
import type { Replica } from '../../server/src/platform/replica/reader.ts';

export type WalkedReplica = Pick<Replica, 'view'>;

/** Network numbers and wallets are listed, but `GET /check` does not take them. */
const NOT_ASKED: ReadonlySet<number | undefined> = new Set([KIND.asn, KIND.crypto]);
/** Keys per turn of the event loop. Larger pages outlive the young generation and cost 200 MB more at the peak. */
const KEYS_A_PAGE = 1_000;
/** One byte for the kind and the longest name or e-mail address. */
const KEY_BYTES_MAX = 1_024;
const AFTER_ALL = Uint8Array.of(0xff);

/**
 * Visits every indicator of the corpus: the replica's keys in order, then the URLs, of which the replica has only
 * digests. Returns the number of keys.
 */
export async function walkCorpus(
  replica: WalkedReplica,
  urlsPath: string,
  onIndicator: (indicator: Indicator) => void,
): Promise<number> {
  let keys = 0;
  let from: Uint8Array = Uint8Array.of(0);
  for (;;) {
    const page = replica.view().keysBetween(LISTINGS, from, AFTER_ALL, KEYS_A_PAGE);
    for (const key of page) visitKey(key, onIndicator);
    keys += page.length;
    const last = page.at(-1);
    if (last === undefined) break;
    // The smallest possible next key: the last one followed by a zero byte.
    from = Uint8Array.of(...last, 0);
    await nextTurn();
  }
  for await (const line of createInterface({ input: createReadStream(urlsPath) })) {
    const parsed = parseIndicator(line);
    if (!parsed.ok) throw new Error(`A URL of the corpus is no indicator: ${parsed.reason}.`);
    onIndicator(parsed.indicator);
  }
  return keys;
}

/** One reused buffer: a million small buffers cost half a gigabyte before they are collected. */
const scratch = Buffer.alloc(KEY_BYTES_MAX);

function visitKey(key: Uint8Array, onIndicator: (indicator: Indicator) => void): void {
  if (NOT_ASKED.has(key[0])) return;
  scratch.set(key);
  const parsed = indicatorOfKey(scratch.subarray(0, key.length));
  if (parsed === null) return;
  if (!parsed.ok) throw new Error(`A key of the corpus is no indicator: ${parsed.reason}.`);
  onIndicator(parsed.indicator as Indicator);
}
