import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type LentConnection, lendConnection, type Postgres, settleCopy } from '../postgres.ts';
import { HOUR_MS } from '../time-units.ts';
import type { Collection, Dataset } from './dataset.ts';
import type { WriterState } from './generation-writer.ts';
import { readLogState } from './log-reader.ts';
import type { WriterProcess } from './writer-process.ts';

/** COPY arrives in pieces of 64 KiB; about one megabyte makes one message and one LMDB transaction. */
const MESSAGE_BYTES = 1_048_576;
/** Two messages in flight keep reading and writing busy at once and bound the memory. */
const MESSAGES_AHEAD = 2;
const STATEMENT_MS = HOUR_MS;

export type BootstrapDeps = {
  readonly postgres: Postgres;
  readonly dataset: Dataset;
  readonly writer: WriterProcess;
  readonly nowMs: () => number;
};

/** Fills a generation from one snapshot of PostgreSQL: position, derived values, then collections in key order. */
export function bootstrap(deps: BootstrapDeps, folder: string, generation: string): Promise<WriterState> {
  return lendConnection(deps.postgres, async (lent) => {
    try {
      return await fill(deps, lent, folder, generation);
    } catch (error) {
      lent.cut();
      throw error;
    }
  });
}

async function fill(
  { dataset, writer, nowMs }: BootstrapDeps,
  { client, db: tx }: LentConnection,
  folder: string,
  generation: string,
): Promise<WriterState> {
  const builtAtMs = nowMs();
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
}

async function openSnapshot(client: pg.PoolClient): Promise<void> {
  await client.query('begin isolation level repeatable read read only');
  await client.query(`set local statement_timeout = ${STATEMENT_MS}`);
  await client.query(`set local idle_in_transaction_session_timeout = ${STATEMENT_MS}`);
  // For sorting millions of entries by key: 256 MB keep most of it off the disk.
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
  // For an error after the last chunk, which would otherwise end the process; earlier errors are read below.
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

/** The rejection is awaited later; until then it must not count as unhandled. */
function sent<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
