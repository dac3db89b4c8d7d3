import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

const CHUNK_BYTES = 1024 ** 2;
const copyOf = (table: string): string => `bench_${table}`;

/** Writes the rows of tables into files in the form that COPY reads. */
export async function unloadTables(
  client: pg.Client,
  folder: string,
  tables: readonly string[],
): Promise<void> {
  for (const table of tables)
    await pipeline(
      client.query(copyTo(`copy ${table} to stdout`)),
      createWriteStream(join(folder, `${table}.copy`), { highWaterMark: CHUNK_BYTES }),
    );
}

/**
 * Seconds that PostgreSQL alone needs for the same rows: one COPY for each table, into an empty table with the same
 * columns, constraints and indexes.
 */
export async function copyTables(
  client: pg.Client,
  folder: string,
  tables: readonly string[],
  including = 'all',
): Promise<number> {
  let seconds = 0;
  for (const table of tables) {
    await client.query(`create table ${copyOf(table)} (like ${table} including ${including})`);
    const file = createReadStream(join(folder, `${table}.copy`), { highWaterMark: CHUNK_BYTES });
    seconds += await copyInto(client, `copy ${copyOf(table)} from stdin`, file);
    await client.query(`drop table ${copyOf(table)}`);
  }
  return seconds;
}

/** Seconds to COPY one CSV text unchanged into an empty table like the given one. */
export async function copyText(
  client: pg.Client,
  table: string,
  columns: string,
  text: string,
): Promise<number> {
  await client.query(`create table ${copyOf(table)} (like ${table} including all)`);
  const into = `copy ${copyOf(table)} (${columns}) from stdin csv`;
  const seconds = await copyInto(client, into, Readable.from([Buffer.from(text)]));
  await client.query(`drop table ${copyOf(table)}`);
  return seconds;
}

/** Seconds to COPY CSV rows into an existing table. */
export const fillText = (client: pg.Client, table: string, columns: string, text: string): Promise<number> =>
  copyInto(client, `copy ${table} (${columns}) from stdin csv`, Readable.from([Buffer.from(text)]));

async function copyInto(client: pg.Client, statement: string, rows: Readable): Promise<number> {
  const startMs = performance.now();
  await pipeline(rows, client.query(copyFrom(statement)));
  return (performance.now() - startMs) / 1_000;
}
