import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { loadList } from '#test/load-list.ts';
import { adminRun } from '#test/run-admin.ts';

/** The tests are one story and run in order. */

const clock = systemClock();
let database: TestDatabase;
let system: Postgres;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
  dataDir = mkdtempSync(join(tmpdir(), 'assay-weights-admin-'));
  const names = Array.from({ length: 60 }, (_, at) => `bad${at}.example.org`);
  const settings = { letter: 'B', category: 'phishing', semantics: 'archive' } as const;
  await loadList({ system, clock }, 'old-names', names, { dataAtMs: clock.now(), settings });
});
afterAll(async () => {
  await system?.close();
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const admin = (args: readonly string[], env: object = {}) =>
  adminRun({ DATABASE_URL: database.url, DATA_DIR: dataDir, ...env }, ['weights', ...args]);

test('a dry run shows both tables side by side and changes nothing', async () => {
  const { code, lines } = await admin(['learn', '--dry-run']);
  expect(code).toBe(0);
  const columns = 'source,age,entries,visited,1 in,points,entries,visited,1 in,points,next';
  expect(lines[0]?.split(/ {2,}/)).toEqual(columns.split(','));
  expect(lines.at(-1)).toBe(
    'Counted without visited hosts of your own, so the counts of the release stay. Nothing was changed.',
  );
  expect((await admin(['list'])).text).toContain('shipped');
});

test('learning without anything new leaves the shipped weights in force, under their name', async () => {
  const { code, lines } = await admin(['learn']);
  expect(code).toBe(0);
  expect(lines).toEqual([expect.stringMatching(/ The weights in force stay\.$/)]);
  expect((await admin(['list'])).lines.filter((line) => line.endsWith('in force'))).toHaveLength(1);
});

test('a source is shown in words, one that does not exist is a mistake', async () => {
  expect((await admin(['show', 'old-names'])).lines).toEqual([
    expect.stringMatching(/^old-names, weights of version /),
    'Class keeps: the list takes nearly nothing back, so an entry counts less the older it is. Not measured.',
    'No count of its own. It is weighed as 1 in 1,000, after its grade: 35 points, before the limits of lists without a record.',
  ]);
  expect(await admin(['show', 'nowhere'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('feeds list'),
  });
});

test('a reference that is too small is a sentence, not a stack', async () => {
  const file = join(dataDir, 'hosts.txt');
  writeFileSync(file, 'example.com\n');
  const run = await admin(['learn'], { REFERENCE_HOSTS_FILE: file });
  expect(run).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'REFERENCE_HOSTS_FILE has 1 hosts that count; at least 100000 are needed.',
    ),
  });
});

test('a release lets a version through that waits, and is a mistake where none does', async () => {
  expect(await admin(['release'])).toMatchObject({ code: 1, stderr: expect.stringContaining('No version') });
  await sql`insert into learned_version (version, digest, day, at, artifact, held, details)
            select '2026-09-01.1', digest, day, at, artifact, true, '{"reasons": ["domains-all: many."]}'
              from learned_version`.execute(system.db);
  expect((await admin(['list'])).lines.at(-1)).toBe('domains-all: many.');
  expect((await admin(['release'])).lines).toEqual([
    expect.stringMatching(/ is in force\. Every node uses it within 15 seconds\.$/),
  ]);
  const [{ versions }] = (await admin(['list', '--json'])).documents as [{ versions: { waits: boolean }[] }];
  expect(versions.map(({ waits }) => waits)).toEqual([false, false]);
});

test('learning and releases are acts, a dry run and looking are none', async () => {
  const { rows } = await sql<{
    action: string;
  }>`select distinct action from operator_act order by action`.execute(system.db);
  expect(rows.map(({ action }) => action)).toEqual(['weights.learn', 'weights.release']);
});
