import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';

type Table = { readonly name: string; readonly isForced: boolean };
type Policy = { readonly table: string; readonly name: string; readonly rule: string };

/** A row of the caller's account; events and letters of no account are written by every account. */
const OWN_ROWS =
  /^\((?:\(account_id IS NULL\) OR \()?\(?account_id\)?(?:::text)? = current_setting\('assay\.account'::text, true\)\)?\)$/;
/** Rules of requests that name no account, with what they compare instead. */
const OTHER_RULES: Readonly<Record<string, string>> = {
  'session by_token': `(encode(token_hash, 'hex'::text) = current_setting('assay.session'::text, true))`,
};

let database: TestDatabase;
let tables: readonly Table[];
let policies: readonly Policy[];

beforeAll(async () => {
  database = await createTestDatabase();
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  ({ rows: tables } = await owner.query<Table>(
    `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as "isForced"
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  ));
  ({ rows: policies } = await owner.query<Policy>(
    `select tablename as table, policyname as name, rule
       from pg_policies cross join lateral (values (qual), (with_check)) as rules (rule)
      where schemaname = 'public' and roles && '{assay_app,public}' and rule is not null`,
  ));
  await owner.end();
});
afterAll(() => database?.drop());

test('every table with an account forces row-level security', () => {
  expect(tables.length).toBeGreaterThan(40);
  expect(tables.filter(({ isForced }) => !isForced)).toEqual([]);
});

test('no policy of a table with an account gives requests the rows of another account', () => {
  const ofAccounts = new Set(tables.map(({ name }) => name));
  const judged = policies.filter(({ table }) => ofAccounts.has(table));
  expect(judged.length).toBeGreaterThan(60);
  const foreign = judged.filter(
    ({ table, name, rule }) => !OWN_ROWS.test(rule) && rule !== OTHER_RULES[`${table} ${name}`],
  );
  expect(foreign).toEqual([]);
});
