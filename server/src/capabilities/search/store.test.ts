import { afterAll, beforeAll, expect, test } from 'vitest';
import { asSystem, connectPostgres, type Db, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { putNames, removeNames, removeOthers } from './projection-store.ts';
import { namesContaining, namesWith, namesWithAny, prepareSearch } from './store.ts';

let database: TestDatabase;
let system: Postgres;
let service: Postgres;

const ROWS = [
  { name: 'a.com', danger: 100, spelling: 'a_bcdef', tokens: ['=a_bcdef', 'one'] },
  { name: 'b.com', danger: 900, spelling: 'axbcdefgh', tokens: ['=axbcdefgh', 'one'] },
  { name: 'c.com', danger: 900, spelling: 'axbcdef', tokens: ['=axbcdef', 'two'] },
  { name: 'd.com', danger: 500, spelling: 'sixsix', tokens: ['=sixsix', 'one', 'two'] },
];

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 };
  [system, service] = [asSystem(config), connectPostgres(config, 'assay_app', PATIENT)];
});
afterAll(async () => {
  await Promise.all([system?.close(), service?.close()]);
  await database?.drop();
});

const ask = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
  service.transaction(async (tx) => {
    await prepareSearch(tx);
    return work(tx);
  });

test('nothing is searchable before the first walk has ended', async () => {
  expect(await service.transaction(prepareSearch)).toBe(false);
  await sql`update corpus_follower set filled_at = now() where name = 'search'`.execute(system.db);
  expect(await service.transaction(prepareSearch)).toBe(true);
});

test('a row is written when it is new or changed, and not when it is the same', async () => {
  expect(await putNames(system.db, ROWS)).toBe(4);
  expect(await putNames(system.db, ROWS)).toBe(0);
  expect(await putNames(system.db, [{ ...(ROWS[0] as (typeof ROWS)[number]), danger: 101 }])).toBe(1);
});

test('the most accused come first, then the shortest, up to the limit', async () => {
  expect(await ask((tx) => namesWithAny(tx, ['one', 'two', 'none'], 10))).toEqual([
    'c.com',
    'b.com',
    'd.com',
    'a.com',
  ]);
  expect(await ask((tx) => namesWithAny(tx, ['one', 'two'], 2))).toEqual(['c.com', 'b.com']);
  expect(await ask((tx) => namesWith(tx, 'two', 10))).toEqual(['c.com', 'd.com']);
  expect(await ask((tx) => namesWithAny(tx, [], 10))).toEqual([]);
});

test('a substring is matched literally', async () => {
  expect(await ask((tx) => namesContaining(tx, 'xbcdef', 10))).toEqual(['c.com', 'b.com']);
  expect(await ask((tx) => namesContaining(tx, 'a_bcdef', 10))).toEqual(['a.com']);
  expect(await ask((tx) => namesContaining(tx, 'a%bcdef', 10))).toEqual([]);
  expect(await ask((tx) => namesContaining(tx, 'bcdef\\', 10))).toEqual([]);
});

test('removeOthers deletes the names of a range that are not given, removeNames the given ones', async () => {
  expect(await removeOthers(system.db, ['b.com'], 'a.com', 'c.com')).toBe(1);
  expect(await removeNames(system.db, ['a.com', 'never.com'])).toBe(1);
  expect(await removeOthers(system.db, [], 'b.com', null)).toBe(1);
  expect(await ask((tx) => namesWith(tx, 'one', 10))).toEqual(['b.com']);
});
