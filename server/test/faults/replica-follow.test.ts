import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { type BuiltReplica, buildReplica } from '#test/replica.ts';
import { changeToy, createToyTables, toyDataset, toyKey } from '#test/replica-toy.ts';

let database: TestDatabase;
let postgres: Postgres;
let built: BuiltReplica;

beforeAll(async () => {
  database = await createTestDatabase();
  await createToyTables(database.url);
  postgres = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 6 });
  await changeToy(postgres, 'items', [
    [1, 'one'],
    [2, 'two'],
  ]);
  await changeToy(postgres, 'flags', [[7, 'seven']]);
  built = await buildReplica(postgres, toyDataset());
});

afterAll(async () => {
  await built?.close();
  await postgres?.close();
  await database?.drop();
});

const text = (bytes: Uint8Array | undefined) =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString();

describe('a replica', () => {
  it('starts with everything PostgreSQL holds', () => {
    const view = built.replica.view();
    expect(text(view.get('items', toyKey(1)))).toBe('one');
    expect(view.get('items', toyKey(3))).toBeUndefined();
    expect(text(view.derived('flag-list'))).toContain('seven');
  });

  it('applies inserts, updates and deletions', async () => {
    const seq = await changeToy(postgres, 'items', [
      [1, 'uno'],
      [2, null],
      [3, 'three'],
    ]);
    await built.sync();
    const view = built.replica.view();
    expect(view.seq).toBe(seq);
    expect(text(view.get('items', toyKey(1)))).toBe('uno');
    expect(view.get('items', toyKey(2))).toBeUndefined();
    expect(text(view.get('items', toyKey(3)))).toBe('three');
  });
});
