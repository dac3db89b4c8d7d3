import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Hash, Listable } from '#domain/indicator/index.ts';
import {
  type Db,
  type LentConnection,
  lendConnection,
  type Postgres,
  settleCopy,
} from '#platform/postgres.ts';
import { createKeyWriter } from './indicator-key.ts';
import { DATINGS, type Dating } from './listing-value.ts';
import { parentKeyOf } from './parent-key.ts';

/** One row of a source's snapshot. Fields that the source does not give are left out. */
export type ListedRow = {
  readonly indicator: Listable;
  readonly firstSeenMs?: number;
  readonly lastSeenMs?: number;
  /** The day on which the history of the list first shows the entry. It dates a row without a date of the source. */
  readonly sightedMs?: number;
  /** What kind of date `firstSeenMs` is, where the caller knows it (a rollback); else derived from the given dates. */
  readonly dating?: Dating;
  /** 0 to 100. */
  readonly confidence?: number;
  /** URL of the source's explanation of this entry; cut at 1,024 characters. */
  readonly reference?: string;
  /** Malware family or tool, as the source names it; cut at 80 characters. */
  readonly family?: string;
  /** Rank in a popularity list, from 1. */
  readonly rank?: number;
  /** Other digests of the same file; a lookup of any of them finds this row. */
  readonly siblings?: readonly Hash[];
};

/** Rows come in batches because one step of an async iterator per row costs as much as reading the row. */
export type RowBatches = AsyncIterable<readonly ListedRow[]> | Iterable<readonly ListedRow[]>;

const CHUNK_BYTES = 256 * 1024;
/** More than the longest row: a URL of 2,048, a reference of 1,024 and a family of 80 characters, three bytes each. */
const ROW_BYTES_MAX = 12_288;
const REFERENCE_MAX = 1_024;
const FAMILY_MAX = 80;
const FIELDS = 10;
const NULL_LENGTH = -1;
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TRAILER = Buffer.from([0xff, 0xff]);
/** Timestamps in binary COPY count microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MS = 946_684_800_000;
const TWO_32 = 0x1_0000_0000;
/** Up to this length, writing the characters one by one costs less than a call into the runtime. */
const SHORT_TEXT = 64;

/** A transaction on one connection that also supports COPY, which kysely does not. */
export const copyTransaction = <T>(
  postgres: Postgres,
  work: (tx: Db, lent: LentConnection) => Promise<T>,
): Promise<T> => lendConnection(postgres, (lent) => lent.db.transaction().execute((tx) => work(tx, lent)));

export type CopyTarget = {
  /** `copy table ([source_number,] key, value, first_seen, last_seen, dated_by, confidence, reference, family, rank, parent_key)` */
  readonly statement: string;
  /** Written as the first field of each row where the table holds several sources. */
  readonly sourceNumber?: number;
};

/** The result of one COPY: the number of rows, and the digests declared to be of one file. */
export type Copied = { readonly rows: number; readonly links: readonly DigestLink[] };
export type DigestLink = { readonly key: Buffer; readonly sibling: Buffer };

/** Streams rows into the target; if the source throws, no row is kept. */
export async function copyRows(client: PoolClient, target: CopyTarget, batches: RowBatches): Promise<Copied> {
  const sink = client.query(copyFrom(target.statement));
  const encoder = new RowEncoder(target.sourceNumber);
  try {
    await pipeline(Readable.from(encoder.chunks(batches), { objectMode: true }), sink);
  } finally {
    settleCopy(sink);
  }
  return { rows: encoder.rows, links: encoder.links };
}

export async function copyInto(client: PoolClient, statement: string, rows: Readable): Promise<void> {
  const sink = client.query(copyFrom(statement));
  try {
    await pipeline(rows, sink);
  } finally {
    settleCopy(sink);
  }
}

export async function copyOut<T>(
  { client, cut }: LentConnection,
  statement: string,
  take: (rows: Readable) => Promise<T>,
): Promise<T> {
  const source = client.query(copyTo(statement));
  // `take` handles errors while it reads; this handler covers those before and after, which would end the process.
  source.on('error', () => undefined);
  try {
    return await take(source);
  } catch (error) {
    cut();
    throw error;
  } finally {
    settleCopy(source);
  }
}

class RowEncoder {
  rows = 0;
  readonly links: DigestLink[] = [];
  readonly #keys = createKeyWriter();
  readonly #sourceNumber: number | undefined;
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #at = HEADER.copy(this.#chunk, 0);

  constructor(sourceNumber: number | undefined) {
    this.#sourceNumber = sourceNumber;
  }

  async *chunks(batches: RowBatches): AsyncGenerator<Buffer> {
    for await (const batch of batches)
      for (const row of batch) {
        if (this.#at + ROW_BYTES_MAX > CHUNK_BYTES) yield this.#take();
        this.#write(row);
      }
    yield this.#take();
    yield TRAILER;
  }

  #take(): Buffer {
    const full = this.#chunk.subarray(0, this.#at);
    this.#chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    this.#at = 0;
    return full;
  }

  #write(row: ListedRow): void {
    const chunk = this.#chunk;
    const key = this.#keys.of(row.indicator);
    let at = this.#at;
    if (this.#sourceNumber === undefined) at = writeInt16(chunk, at, FIELDS);
    else {
      at = writeInt16(chunk, at, FIELDS + 1);
      at = writeInt16(chunk, writeInt32(chunk, at, 2), this.#sourceNumber);
    }
    at = writeInt32(chunk, at, key.length);
    chunk.set(key, at);
    if (row.siblings !== undefined) this.#link(Buffer.from(key), row.siblings);
    at = writeText(chunk, at + key.length, row.indicator.value);
    at = writeTimestamp(chunk, at, hasOwnDate(row) ? row.firstSeenMs : row.sightedMs);
    at = writeTimestamp(chunk, at, row.lastSeenMs);
    const datedBy = datedByOf(row);
    if (datedBy === null) at = writeInt32(chunk, at, NULL_LENGTH);
    else at = writeInt16(chunk, writeInt32(chunk, at, 2), datedBy);
    if (row.confidence === undefined) at = writeInt32(chunk, at, NULL_LENGTH);
    else at = writeInt16(chunk, writeInt32(chunk, at, 2), row.confidence);
    at = writeOptional(chunk, at, row.reference, REFERENCE_MAX);
    at = writeOptional(chunk, at, row.family, FAMILY_MAX);
    if (row.rank === undefined) at = writeInt32(chunk, at, NULL_LENGTH);
    else at = writeInt32(chunk, writeInt32(chunk, at, 4), row.rank);
    this.#at = writeBytes(chunk, at, parentKeyOf(this.#keys, row.indicator));
    this.rows += 1;
  }

  #link(key: Buffer, siblings: readonly Hash[]): void {
    const all = [key, ...siblings.map((sibling) => Buffer.from(this.#keys.of(sibling)))];
    for (const one of all)
      for (const other of all) if (!one.equals(other)) this.links.push({ key: one, sibling: other });
  }
}

const hasOwnDate = ({ firstSeenMs, lastSeenMs }: ListedRow): boolean =>
  firstSeenMs !== undefined || lastSeenMs !== undefined;

/** The number of the row's dating; null where the row has no date, so that the merge decides. */
function datedByOf(row: ListedRow): number | null {
  if (row.dating !== undefined) return DATINGS.indexOf(row.dating);
  if (hasOwnDate(row)) return DATINGS.indexOf('own');
  return row.sightedMs === undefined ? null : DATINGS.indexOf('sighted');
}

function writeInt16(chunk: Buffer, at: number, value: number): number {
  chunk[at] = value >>> 8;
  chunk[at + 1] = value;
  return at + 2;
}

function writeInt32(chunk: Buffer, at: number, value: number): number {
  chunk[at] = value >>> 24;
  chunk[at + 1] = value >>> 16;
  chunk[at + 2] = value >>> 8;
  chunk[at + 3] = value;
  return at + 4;
}

const writeOptional = (chunk: Buffer, at: number, text: string | undefined, charsMax: number): number =>
  text === undefined
    ? writeInt32(chunk, at, NULL_LENGTH)
    : writeText(chunk, at, text.slice(0, charsMax).replaceAll('\0', ''));

function writeBytes(chunk: Buffer, at: number, bytes: Uint8Array | null): number {
  if (bytes === null) return writeInt32(chunk, at, NULL_LENGTH);
  chunk.set(bytes, at + 4);
  return writeInt32(chunk, at, bytes.length) + bytes.length;
}

function writeText(chunk: Buffer, at: number, text: string): number {
  const { length } = text;
  if (length <= SHORT_TEXT) {
    let seen = 0;
    for (let i = 0; i < length; i += 1) {
      const code = text.charCodeAt(i);
      seen |= code;
      chunk[at + 4 + i] = code;
    }
    if (seen < 128) return writeInt32(chunk, at, length) + length;
  }
  const bytes = chunk.write(text, at + 4, 'utf8');
  return writeInt32(chunk, at, bytes) + bytes;
}

function writeTimestamp(chunk: Buffer, at: number, ms: number | undefined): number {
  if (ms === undefined) return writeInt32(chunk, at, NULL_LENGTH);
  const us = Math.round(ms - POSTGRES_EPOCH_MS) * 1_000;
  const high = Math.floor(us / TWO_32);
  return writeInt32(chunk, writeInt32(chunk, writeInt32(chunk, at, 8), high), us - high * TWO_32);
}
