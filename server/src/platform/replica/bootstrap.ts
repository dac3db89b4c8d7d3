import type { Duplex } from 'node:stream';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Db, type Postgres, settleCopy } from '../postgres.ts';
import type { Collection, Dataset } from './dataset.ts';
import type { WriterState } from './generation-writer.ts';
import { readLogState } from './log-reader.ts';
import type { WriterProcess } from './writer-process.ts';

/** COPY arrives in pieces of 64 KiB; one message and one LMDB transaction for each megabyte or so. */
const MESSAGE_BYTES = 1_048_576;
/** Two messages under way keep reading and writing busy at once and bound the memory. */
const MESSAGES_AHEAD = 2;
const STATEMENT_MS = 3_600_000;

export type BootstrapDeps = {
  readonly postgres: Postgres;
  readonly dataset: Dataset;
  readonly writer: WriterProcess;
  readonly nowMs: () => number;
};

/** Fills a new generation from one snapshot of PostgreSQL: position, derived values, then each collection in key order. */
export async function bootstrap(
  deps: BootstrapDeps,
  folder: string,
  generation: string,
): Promise<WriterState> {
  const { postgres, dataset, writer } = deps;
  const client = await postgres.pool.connect();
  let failure: Error | undefined;
  try {
    const builtAtMs = deps.nowMs();
    const tx = onOneConnection(client);
    await openSnapshot(client);
    const log = await readLogState(tx, dataset.name, 0, '0');
    await writer.call('create', folder, {
      dataset: dataset.name,
      format: dataset.format,
      generation,
      origin: log.origin,
      seq: log.newestSeq,
      seqAtUs: log.newestAtUs,
      builtAtMs,
      collections: dataset.collections.map((collection) => collection.name),
    });
    for (const derived of dataset.derived)
      await writer.call('putDerived', derived.name, Buffer.from(await derived.build(tx)));
    for (const collection of dataset.collections) await copyCollection(client, writer, collection);
    await client.query('commit');
    return await writer.call('finish');
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    // In the middle of a COPY nobody reads the connection any more: a polite goodbye would wait for ever (seen).
    (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
    throw failure;
  } finally {
    // A connection that failed in the middle of a COPY is not given back to the pool.
    client.release(failure);
  }
}

async function openSnapshot(client: pg.PoolClient): Promise<void> {
  await client.query('begin isolation level repeatable read read only');
  await client.query(`set local statement_timeout = ${STATEMENT_MS}`);
  await client.query(`set local idle_in_transaction_session_timeout = ${STATEMENT_MS}`);
  // The sort by key of some millions of entries: 256 MB keep most of it off the disk.
  await client.query(`set local work_mem = '256MB'`);
}

async function copyCollection(
  client: pg.PoolClient,
  writer: WriterProcess,
  collection: Collection,
): Promise<void> {
  const view = client.escapeIdentifier(collection.view);
  const stream = client.query(
    copyTo(`copy (select key, value from ${view} order by key) to stdout (format binary)`),
  );
  // Read below; this one is for an error after the last chunk, which would otherwise end the process.
  stream.on('error', () => undefined);
  try {
    await sendChunks(stream as AsyncIterable<Buffer>, writer, collection.name);
  } finally {
    settleCopy(stream);
  }
}

async function sendChunks(stream: AsyncIterable<Buffer>, writer: WriterProcess, name: string): Promise<void> {
  const underWay: Promise<unknown>[] = [];
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < MESSAGE_BYTES) continue;
    underWay.push(sent(writer.call('copyInto', name, chunks)));
    chunks = [];
    bytes = 0;
    if (underWay.length >= MESSAGES_AHEAD) await underWay.shift();
  }
  underWay.push(sent(writer.call('copyInto', name, chunks)));
  await Promise.all(underWay);
  await writer.call('copyInto', name, null);
}

/** The rejection is awaited a little later; until then it must not count as unhandled. */
function sent<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** kysely on this very connection, inside the transaction that is already open on it. */
function onOneConnection(client: pg.PoolClient): Db {
  const borrowed = { query: client.query.bind(client), release: () => undefined };
  return new Kysely<object>({
    dialect: new PostgresDialect({
      pool: { connect: async () => borrowed as never, end: async () => undefined, options: {} },
    }),
  });
}
