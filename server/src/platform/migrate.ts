import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { type Db, sql } from './postgres.ts';
import { writableUrl } from './postgres-hosts.ts';
import { sha256Of } from './sha256.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
/** An arbitrary constant that only migrations use. */
const ADVISORY_LOCK = 4_021_001;
const NO_TRANSACTION = '-- no-transaction';

export type MigrationReport = { readonly createdDatabase: boolean; readonly applied: readonly string[] };

/** Creates the database if absent, then applies new migrations in order under an advisory lock. Forward only. */
export async function migrate(url: string): Promise<MigrationReport> {
  const databaseUrl = await writableUrl(url, 'postgres');
  const createdDatabase = await createDatabaseIfAbsent(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'assay_migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK]);
    const applied = await applyAll(client);
    await runMigrations({ connectionString: databaseUrl });
    await grantQueue(client);
    return { createdDatabase, applied };
  } finally {
    await client.end();
  }
}

const migrationFiles = (): string[] =>
  readdirSync(MIGRATIONS)
    .filter((file) => file.endsWith('.sql'))
    .sort();

export async function pendingMigrations(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migration`.execute(db);
  const applied = new Set(rows.map((row) => row.name));
  return migrationFiles().filter((file) => !applied.has(file));
}

async function applyAll(client: pg.Client): Promise<string[]> {
  await client.query(`create table if not exists schema_migration (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  const known = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration',
  );
  const done = new Map(known.rows.map((row) => [row.name, row.sha256]));
  const applied: string[] = [];
  for (const name of migrationFiles()) {
    const text = readFileSync(join(MIGRATIONS, name), 'utf8');
    const sha256 = sha256Of(text);
    const before = done.get(name);
    if (before === sha256) continue;
    if (before !== undefined)
      throw new Error(`Migration ${name} was changed after it was applied. Write a new one instead.`);
    await applyOne(client, name, text, sha256);
    applied.push(name);
  }
  return applied;
}

async function applyOne(client: pg.Client, name: string, text: string, sha256: string): Promise<void> {
  const record = 'insert into schema_migration (name, sha256) values ($1, $2)';
  if (text.startsWith(NO_TRANSACTION)) {
    await client.query(text);
    await client.query(record, [name, sha256]);
    return;
  }
  try {
    await client.query('begin');
    await client.query(record, [name, sha256]);
    await client.query(text);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${name} failed; nothing of it was kept.`, { cause: error });
  }
}

/**
 * The queue's tables have row-level security without a policy, so grants alone give no access. The system role takes
 * jobs; callers add them through `enqueue_job` (migration 0006) and cannot read them.
 */
async function grantQueue(client: pg.Client): Promise<void> {
  await client.query(`
    grant usage on schema graphile_worker to assay_system;
    grant select, insert, update, delete on all tables in schema graphile_worker to assay_system;
    grant usage on all sequences in schema graphile_worker to assay_system;
    grant execute on all functions in schema graphile_worker to assay_system;
    do $$
    declare
      queue_table text;
    begin
      for queue_table in
        select t.tablename from pg_tables t where t.schemaname = 'graphile_worker' and t.rowsecurity
           and not exists (select 1 from pg_policies p
                            where p.schemaname = 'graphile_worker' and p.tablename = t.tablename
                              and p.policyname = 'assay_system')
      loop
        execute format('create policy assay_system on graphile_worker.%I to assay_system
                          using (true) with check (true)', queue_table);
      end loop;
    end
    $$`);
}

async function createDatabaseIfAbsent(databaseUrl: string): Promise<boolean> {
  const url = new URL(databaseUrl);
  const name = decodeURIComponent(url.pathname.slice(1));
  if (!/^[A-Za-z0-9_-]{1,63}$/.test(name)) throw new Error(`'${name}' is not a name for a new database.`);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href, application_name: 'assay_migrate' });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount !== 0) return false;
    await client.query(`create database "${name}"`);
    return true;
  } finally {
    await client.end();
  }
}
