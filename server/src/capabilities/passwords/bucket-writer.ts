import type { Environment, Table } from '#platform/lmdb.ts';
import { bucketKey, packBucket, prefixOfKey } from './bucket.ts';
import type { Coverage } from './corpus-head.ts';

/** About 40 MB of pages at 950 hashes per bucket: the memory of one transaction, and the most that a kill costs. */
const BUCKETS_A_TRANSACTION = 4_096;

/** The last prefix that is stored; null when there is none. */
export function lastPrefix(table: Table): number | null {
  for (const key of table.getKeys({ reverse: true, limit: 1 })) return prefixOfKey(key);
  return null;
}

/** Collects the hashes of one prefix and writes whole buckets, many per transaction. */
export class BucketWriter {
  readonly #environment: Environment;
  readonly #table: Table;
  readonly #wanted: Coverage;
  #full: { readonly key: Buffer; readonly value: Buffer }[] = [];
  #prefix = -1;
  #suffixes: number[] = [];
  #counts: number[] = [];
  entries = 0;
  /** A hash after the last wanted prefix was seen, so no other wanted one follows. */
  isPast = false;

  constructor(environment: Environment, table: Table, wanted: Coverage) {
    [this.#environment, this.#table, this.#wanted] = [environment, table, wanted];
  }

  add(prefix: number, suffix: number, count: number): void {
    if (prefix !== this.#prefix) {
      if (prefix < this.#wanted.first) return;
      if (prefix > this.#wanted.last) {
        this.isPast = true;
        return;
      }
      this.#close();
      this.#prefix = prefix;
    }
    const last = this.#suffixes.length - 1;
    // Two hashes with the same 17 digits cannot be distinguished later, so the higher count is kept.
    if (suffix === this.#suffixes[last]) this.#counts[last] = Math.max(count, this.#counts[last] ?? 0);
    else {
      this.#suffixes.push(suffix);
      this.#counts.push(count);
      this.entries += 1;
    }
  }

  writeFull(): void {
    while (this.#full.length >= BUCKETS_A_TRANSACTION) this.#write(BUCKETS_A_TRANSACTION);
  }

  end(): void {
    this.#close();
    this.writeFull();
    if (this.#full.length > 0) this.#write(this.#full.length);
  }

  #close(): void {
    if (this.#suffixes.length === 0) return;
    this.#full.push({ key: bucketKey(this.#prefix), value: packBucket(this.#suffixes, this.#counts) });
    [this.#suffixes, this.#counts] = [[], []];
  }

  /** Writes a fixed number per transaction, so that the file is the same however the input was cut into pieces. */
  #write(buckets: number): void {
    const full = this.#full.splice(0, buckets);
    this.#environment.transactionSync(() => {
      for (const { key, value } of full)
        if (!this.#table.putSync(key, value, { append: true }))
          throw new Error('The prefixes of a password corpus are not ascending.');
    });
  }
}
