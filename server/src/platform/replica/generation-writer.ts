import { mkdirSync } from 'node:fs';
import { type Environment, openEnvironment, openTable, type Table } from '../lmdb.ts';
import { CopyReader } from './copy-reader.ts';
import { type Lock, tryLock } from './exclusive.ts';
import { dataFile, fileBytes, writerLock } from './generations.ts';
import {
  collectionTable,
  DERIVED_TABLE,
  decodeHead,
  derivedMember,
  encodeHead,
  HEAD_KEY,
  type Head,
  META_TABLE,
} from './head.ts';
import { unpackChanges } from './packed-changes.ts';
import { newHashKey, SetHash } from './set-hash.ts';

/** A killed predecessor may need a moment to finish its last commit. */
const LOCK_WAIT_MS = 10_000;

export type NewGeneration = Pick<
  Head,
  'dataset' | 'format' | 'generation' | 'origin' | 'seq' | 'seqAtUs' | 'builtAtMs'
> & { readonly collections: readonly string[] };
export type NewPosition = Pick<Head, 'seq' | 'seqAtUs' | 'contactAtMs' | 'contactTookMs'> & {
  readonly baseSeq: number;
};
export type WriterState = { readonly head: Head; readonly bytes: number };

/** All writing to one generation. Runs in a separate process, because its calls block. */
export class GenerationWriter {
  readonly #folder: string;
  readonly #lock: Lock;
  readonly #environment: Environment;
  readonly #tables = new Map<string, Table>();
  readonly #labels = new Map<string, Buffer>();
  #head: Head;
  #hash: SetHash;
  #copy: CopyReader | null = null;
  #appended = 0;
  #staged: { readonly table: string; readonly packed: Buffer }[] = [];

  private constructor(folder: string, lock: Lock, environment: Environment, head: Head) {
    this.#folder = folder;
    this.#lock = lock;
    this.#environment = environment;
    this.#head = head;
    this.#hash = new SetHash(Buffer.from(head.hashKey, 'hex'), head.setHash);
  }

  /** An empty generation to be filled in key order, then finished. Not synced until `finish`. */
  static create(folder: string, start: NewGeneration): GenerationWriter {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = lockGeneration(folder);
    const { collections, ...known } = start;
    const head: Head = {
      dataset: known.dataset,
      format: known.format,
      generation: known.generation,
      origin: known.origin,
      seq: known.seq,
      seqAtUs: known.seqAtUs,
      builtAtMs: known.builtAtMs,
      entries: 0,
      hashKey: newHashKey().toString('hex'),
      setHash: '0'.repeat(32),
      changed: Object.fromEntries(collections.map((name) => [collectionTable(name), start.seq])),
      contactAtMs: start.builtAtMs,
      contactTookMs: 0,
      builtBytes: 0,
    };
    const writer = new GenerationWriter(folder, lock, openEnvironment(dataFile(folder), 'build'), head);
    for (const name of [...collections.map(collectionTable), DERIVED_TABLE, META_TABLE]) writer.#table(name);
    return writer;
  }

  static adopt(folder: string): GenerationWriter {
    const lock = lockGeneration(folder);
    const environment = openEnvironment(dataFile(folder), 'write');
    environment.readerCheck();
    return new GenerationWriter(folder, lock, environment, readHead(environment));
  }

  state(): WriterState {
    return { head: this.#head, bytes: fileBytes(dataFile(this.#folder)) };
  }

  /** The bytes of a binary COPY of the collection, in key order; `null` ends the collection. */
  copyInto(collection: string, chunks: readonly Buffer[] | null): void {
    const name = collectionTable(collection);
    this.#copy ??= new CopyReader((key, value) => this.appendEntry(name, key, value));
    const reader = this.#copy;
    if (chunks === null) {
      reader.end();
      this.#copy = null;
      return;
    }
    this.appendInOneTransaction(() => {
      for (const chunk of chunks) reader.read(chunk);
    });
  }

  appendInOneTransaction(work: () => void): void {
    this.#environment.transactionSync(work);
  }

  /** Keys come in ascending order, so pages are filled completely (43 bytes for a 32-byte entry, measured). */
  appendEntry(name: string, key: Buffer, value: Buffer): void {
    if (!this.#table(name).putSync(key, value, { append: true }))
      throw new Error(
        `Keys of '${name}' are not unique and ascending: ${key.toString('hex')} came out of order.`,
      );
    this.#hash.add(this.#label(name), key, value);
    if (name !== DERIVED_TABLE) this.#appended += 1;
  }

  /** The few derived values of a new generation come in any order. */
  putDerived(name: string, value: Buffer): void {
    const key = Buffer.from(name);
    this.#table(DERIVED_TABLE).putSync(key, value);
    this.#hash.add(this.#label(DERIVED_TABLE), key, value);
    this.#head = { ...this.#head, changed: { ...this.#head.changed, [derivedMember(name)]: this.#head.seq } };
  }

  /** Writes the head, which completes the generation. The caller syncs the file. */
  finish(carried: Partial<Pick<Head, 'changed' | 'contactAtMs'>> = {}): WriterState {
    const builtBytes = fileBytes(dataFile(this.#folder));
    this.#head = {
      ...this.#head,
      ...carried,
      entries: this.#appended,
      builtBytes,
      setHash: this.#hash.digest(),
    };
    this.#table(META_TABLE).putSync(HEAD_KEY, encodeHead(this.#head));
    return this.state();
  }

  /** Keeps changes in memory until `commit`; with `collection` null it stages a derived value. */
  stage(collection: string | null, packed: Buffer): void {
    this.#staged.push({ table: collection === null ? DERIVED_TABLE : collectionTable(collection), packed });
  }

  discardStaged(): void {
    this.#staged = [];
  }

  /** Writes all staged changes, the new position and the new set hash in one LMDB transaction. */
  commit(position: NewPosition): WriterState {
    const { baseSeq, ...reached } = position;
    const begunMs = performance.now();
    if (baseSeq !== this.#head.seq)
      throw new Error(`The changes start after ${baseSeq}, but the generation is at ${this.#head.seq}.`);
    const staged = this.#staged;
    this.#staged = [];
    const hash = new SetHash(Buffer.from(this.#head.hashKey, 'hex'), this.#head.setHash);
    const changed: Record<string, number> = { ...this.#head.changed };
    let entries = this.#head.entries;
    const head = this.#environment.transactionSync((): Head => {
      for (const { table, packed } of staged) {
        const isDerived = table === DERIVED_TABLE;
        unpackChanges(packed, (key, value) => {
          const difference = this.#applyChange(hash, table, key, value);
          if (difference === null) return;
          if (!isDerived) entries += difference;
          changed[isDerived ? derivedMember(key.toString()) : table] = reached.seq;
        });
      }
      const contactTookMs = reached.contactTookMs + performance.now() - begunMs;
      const setHash = hash.digest();
      const next: Head = { ...this.#head, ...reached, contactTookMs, entries, changed, setHash };
      this.#table(META_TABLE).putSync(HEAD_KEY, encodeHead(next));
      return next;
    });
    this.#head = head;
    return this.state();
  }

  /** Records that nothing had changed at `contactAtMs`. */
  touch(contact: Pick<Head, 'contactAtMs' | 'contactTookMs'>): void {
    const head = { ...this.#head, ...contact };
    this.#table(META_TABLE).putSync(HEAD_KEY, encodeHead(head));
    this.#head = head;
  }

  async close(): Promise<void> {
    await this.#environment.close();
    this.#lock.release();
  }

  /** The change in the number of entries (1, 0, -1); null when the entry already has this value. */
  #applyChange(hash: SetHash, name: string, key: Buffer, value: Buffer | null): number | null {
    const table = this.#table(name);
    const before = table.getBinary(key);
    if (before === undefined && value === null) return null;
    if (before !== undefined && value !== null && before.equals(value)) return null;
    const label = this.#label(name);
    if (before !== undefined) hash.subtract(label, key, before);
    if (value === null) {
      table.removeSync(key);
      return -1;
    }
    hash.add(label, key, value);
    table.putSync(key, value);
    return before === undefined ? 1 : 0;
  }

  #table(name: string): Table {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const table = openTable(this.#environment, name);
    if (table === undefined) throw new Error(`The generation has no table '${name}'.`);
    this.#tables.set(name, table);
    return table;
  }

  #label(name: string): Buffer {
    const known = this.#labels.get(name);
    if (known !== undefined) return known;
    const label = Buffer.from(name);
    this.#labels.set(name, label);
    return label;
  }
}

export function readHead(environment: Environment): Head {
  return decodeHead(openTable(environment, META_TABLE)?.getBinary(HEAD_KEY));
}

/** A second safeguard: a writer whose parent was killed holds this lock until it has stopped. */
function lockGeneration(folder: string): Lock {
  const lock = tryLock(writerLock(folder), LOCK_WAIT_MS);
  if (lock === null) throw new Error(`Another process still writes to '${folder}'.`);
  return lock;
}
