import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '#platform/migrate.ts';
import { IS_FULL_SIZE } from './lane.ts';

export { PATIENT } from './patient.ts';

const SERVER_URL = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432';

declare module 'vitest' {
  interface ProvidedContext {
    templateDatabase: string;
  }
}

export const databaseUrl = (name: string): string => `${SERVER_URL}/${name}`;
const randomName = (kind: string) => `assay_${kind}_${randomBytes(6).toString('hex')}`;

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl('postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A migrated template database: cloning it takes about 50 ms, a migration one second. */
export async function createTemplate(): Promise<string> {
  const name = randomName('template');
  await migrate(databaseUrl(name));
  return name;
}

export const dropDatabase = (name: string): Promise<unknown> =>
  onServer((client) => client.query(`drop database if exists "${name}" with (force)`));

/**
 * In the landing lane its commits do not wait for the disk, which is nine tenths of the time of a small write. Nothing there
 * cuts the power of the shared PostgreSQL; proofs that do have an engine of their own and keep the default.
 */
export async function cloneDatabase(client: pg.Client, from: string, to: string): Promise<void> {
  const { rows } = await client.query<{ fsync: string }>('show fsync');
  // A copy of the files takes half the time of a copy through the log, but where writes reach the disk it first waits
  // for a checkpoint of every other database.
  const strategy = rows[0]?.fsync === 'off' ? 'file_copy' : 'wal_log';
  await client.query(`create database "${to}" template "${from}" strategy ${strategy}`);
  if (!IS_FULL_SIZE) await client.query(`alter database "${to}" set synchronous_commit = off`);
}

export type TestDatabase = {
  readonly name: string;
  readonly url: string;
  readonly drop: () => Promise<unknown>;
};

export async function createTestDatabase(template = inject('templateDatabase')): Promise<TestDatabase> {
  const name = randomName('test');
  await onServer((client) => cloneDatabase(client, template, name));
  return { name, url: databaseUrl(name), drop: () => dropDatabase(name) };
}
