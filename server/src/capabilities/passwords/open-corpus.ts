import { statSync } from 'node:fs';
import { beginRead, type Environment, openEnvironment, openTable, type Table } from '#platform/lmdb.ts';
import { sha256Of } from '#platform/sha256.ts';
import { bucketKey, checkedEntries, countIn, PREFIX_DIGITS, SUFFIX_DIGITS } from './bucket.ts';
import { dataFile, type HashType, type Pointer } from './corpus-files.ts';
import { BUCKETS, type CorpusHead, readHead } from './corpus-head.ts';
import { padBucket } from './pad-bucket.ts';
import { renderRange } from './render-range.ts';

/** Part of the ETag. Raise it when the form of the answer changes, so that caches drop old answers. */
const ANSWER_VERSION = 1;

export function openCorpus(dataDir: string, type: HashType, { generation, bytes }: Pointer): OpenCorpus {
  const file = dataFile(dataDir, type, generation);
  const size = statSync(file).size;
  if (size !== bytes)
    throw new Error(`The password corpus ${generation} has ${size} bytes instead of ${bytes}.`);
  const environment = openEnvironment(file, 'read');
  try {
    const head = readHead(environment);
    const buckets = openTable(environment, BUCKETS);
    if (head?.type !== type || buckets === undefined)
      throw new Error(`The password corpus ${generation} is not complete.`);
    return new OpenCorpus(environment, buckets, head, { generation, bytes });
  } catch (error) {
    void environment.close();
    throw error;
  }
}

export class OpenCorpus {
  readonly head: CorpusHead;
  readonly generation: string;
  readonly bytes: number;
  readonly #environment: Environment;
  readonly #buckets: Table;
  readonly #etag: string;
  readonly #seed: number;
  /** The file never changes, so one snapshot serves for as long as it is open. */
  readonly #snapshot: { readonly transaction: ReturnType<typeof beginRead> };
  readonly #key = bucketKey(0);

  constructor(environment: Environment, buckets: Table, head: CorpusHead, pointer: Pointer) {
    [this.#environment, this.#buckets, this.head] = [environment, buckets, head];
    [this.generation, this.bytes] = [pointer.generation, pointer.bytes];
    this.#etag = sha256Of(`${head.digest} ${head.corpusUpdatedAt} ${ANSWER_VERSION}`).slice(0, 32);
    this.#seed = Number.parseInt(head.digest.slice(0, 8), 16);
    this.#snapshot = { transaction: beginRead(environment) };
  }

  countOf(value: string): number | null {
    const bucket = this.#bucketOf(Number.parseInt(value.slice(0, PREFIX_DIGITS), 16));
    if (bucket === undefined) return null;
    return countIn(bucket, Number.parseInt(value.slice(PREFIX_DIGITS, PREFIX_DIGITS + SUFFIX_DIGITS), 16));
  }

  /** Equal on all nodes with the same corpus. */
  etag(isPadded: boolean): string {
    return isPadded ? `"${this.#etag}-padded"` : `"${this.#etag}"`;
  }

  range(prefix: number, isPadded: boolean): Buffer {
    const { type: mode, corpusUpdatedAt, entriesTextMax: textMax } = this.head;
    const words = { prefix, mode, corpusUpdatedAt };
    const bucket = this.#bucketOf(prefix) ?? null;
    if (bucket !== null) checkedEntries(bucket);
    if (!isPadded) return renderRange(words, bucket);
    const padded = padBucket(bucket, { textMax, seed: this.#seed ^ Math.imul(prefix, 0x9e37_79b1) });
    return renderRange(words, padded.bucket, padded.spaces);
  }

  #bucketOf(prefix: number): Buffer | undefined {
    return this.#buckets.getBinary(bucketKey(prefix, this.#key), this.#snapshot);
  }

  async close(): Promise<void> {
    this.#snapshot.transaction.done();
    await this.#environment.close();
  }
}
