import { chmodSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { openReplicator } from '#platform/replica/replicator.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { changeToy, createToyTables, toyDataset } from '#test/replica-toy.ts';

let database: TestDatabase;
let postgres: Postgres;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await createToyTables(database.url);
  postgres = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 6 });
  await changeToy(postgres, 'items', [[1, 'one']]);
  dataDir = await mkdtemp(join(tmpdir(), 'assay-replica-files-'));
});
afterAll(async () => {
  await postgres?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const open = () =>
  openReplicator({
    postgres,
    dataset: toyDataset(),
    dataDir,
    log: createLog('silent'),
    clock: systemClock(),
  });
const entries = () =>
  readdirSync(join(dataDir, 'replica'), { recursive: true, withFileTypes: true }).map((entry) => ({
    path: join(entry.parentPath, entry.name),
    kind: entry.isDirectory() ? 'folder' : 'file',
  }));
const modes = () => [
  ...entries().map(({ path, kind }) => `${(statSync(path).mode & 0o777).toString(8)} ${kind}`),
  `${(statSync(join(dataDir, 'replica')).mode & 0o777).toString(8)} folder`,
];

test('the replica holds the HMACs of keys, so only the user of the service may read its files', async () => {
  const replicator = await open();
  expect(modes().length).toBeGreaterThan(6);
  expect(new Set(modes())).toEqual(new Set(['600 file', '700 folder']));
  await replicator.close();
});

test('a replica of an older release gets the same modes at the next start', async () => {
  for (const { path, kind } of entries()) chmodSync(path, kind === 'folder' ? 0o755 : 0o644);
  chmodSync(join(dataDir, 'replica'), 0o755);
  const replicator = await open();
  expect(new Set(modes())).toEqual(new Set(['600 file', '700 folder']));
  await replicator.close();
});
