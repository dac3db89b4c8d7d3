import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Indicator } from '#domain/indicator/index.ts';
import { type Db, type Postgres, settleCopy } from '#platform/postgres.ts';
import { createKeyWriter } from './indicator-key.ts';

/** One line of a source's snapshot. What the source does not say is left out. */
export type ListedRow = {
  readonly indicator: Indicator;
  readonly firstSeenMs?: number;
  readonly lastSeenMs?: number;
  /** 0 to 100. */
  readonly confidence?: number;
  /** Where the source explains this entry; cut at 1,024 characters. */
  readonly reference?: string;
};

const CHUNK_BYTES = 256 * 1024;
/** More than the longest row: a URL of 2,048 and a reference of 1,024 characters, three bytes each, and a key. */
const ROW_BYTES_MAX = 10_240;
const REFERENCE_MAX = 1_024;
const FIELDS = 6;
const NULL_LENGTH = -1;
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TRAILER = Buffer.from([0xff, 0xff]);
/** Timestamps in binary COPY count microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MS = 946_684_800_000;

/** A transaction on one connection that also speaks COPY, which kysely does not. */
export async function copyTransaction<T>(
  postgres: Postgres,
  work: (tx: Db, client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await postgres.pool.connect();
  const pool = {
    connect: async () => ({ ...asKyselyClient(client), release: () => undefined }),
    end: async () => undefined,
  };
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: pool as never }) });
    return await db.transaction().execute((tx) => work(tx, client));
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

const asKyselyClient = (client: PoolClient) => ({ query: client.query.bind(client) });

/** Streams rows into the statement's table; resolves to how many. A source that throws leaves nothing behind. */
export async function copyRows(
  client: PoolClient,
  statement: string,
  rows: AsyncIterable<ListedRow> | Iterable<ListedRow>,
): Promise<number> {
  const sink = client.query(copyFrom(statement));
  const count = { rows: 0 };
  try {
    await pipeline(Readable.from(encodeRows(rows, count), { objectMode: true }), sink);
  } finally {
    settleCopy(sink);
  }
  return count.rows;
}

async function* encodeRows(
  rows: AsyncIterable<ListedRow> | Iterable<ListedRow>,
  count: { rows: number },
): AsyncGenerator<Buffer> {
  const keys = createKeyWriter();
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let at = HEADER.copy(chunk, 0);
  for await (const row of rows) {
    if (at + ROW_BYTES_MAX > CHUNK_BYTES) {
      yield chunk.subarray(0, at);
      chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      at = 0;
    }
    at = writeRow(chunk, at, row, keys.of(row.indicator));
    count.rows += 1;
  }
  yield chunk.subarray(0, at);
  yield TRAILER;
}

function writeRow(chunk: Buffer, start: number, row: ListedRow, key: Uint8Array): number {
  let at = chunk.writeInt16BE(FIELDS, start);
  at = chunk.writeInt32BE(key.length, at);
  chunk.set(key, at);
  at = writeText(chunk, at + key.length, row.indicator.value);
  at = writeTimestamp(chunk, at, row.firstSeenMs);
  at = writeTimestamp(chunk, at, row.lastSeenMs);
  if (row.confidence === undefined) at = chunk.writeInt32BE(NULL_LENGTH, at);
  else at = chunk.writeInt16BE(row.confidence, chunk.writeInt32BE(2, at));
  return row.reference === undefined
    ? chunk.writeInt32BE(NULL_LENGTH, at)
    : writeText(chunk, at, row.reference.slice(0, REFERENCE_MAX).replaceAll('\0', ''));
}

function writeText(chunk: Buffer, at: number, text: string): number {
  const bytes = chunk.write(text, at + 4, 'utf8');
  chunk.writeInt32BE(bytes, at);
  return at + 4 + bytes;
}

function writeTimestamp(chunk: Buffer, at: number, ms: number | undefined): number {
  if (ms === undefined) return chunk.writeInt32BE(NULL_LENGTH, at);
  const us = BigInt(Math.round(ms - POSTGRES_EPOCH_MS)) * 1_000n;
  return chunk.writeBigInt64BE(us, chunk.writeInt32BE(8, at));
}
