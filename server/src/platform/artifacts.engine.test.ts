import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { type Artifacts, createArtifacts, putArtifact } from './artifacts.ts';
import type { Clock } from './clock.ts';
import { loadConfig } from './config.ts';
import { createLog } from './log.ts';
import { asSystem, connectPostgres, type Postgres, sql } from './postgres.ts';

let database: TestDatabase;
let system: Postgres;
let app: Postgres;
let dataDir: string;
let artifacts: Artifacts;
let nowMs = Date.now();
const clock: Clock = { now: () => nowMs, monotonic: () => performance.now() };
const log = createLog('silent');

beforeAll(async () => {
  database = await createTestDatabase();
  const config = loadConfig({ DATABASE_URL: database.url });
  system = asSystem(config);
  app = connectPostgres(config, 'assay_app', PATIENT);
});
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-artifacts-'));
  artifacts = createArtifacts({ postgres: app, dataDir, log, clock });
  return () => rm(dataDir, { recursive: true, force: true });
});
afterAll(async () => {
  await system.close();
  await app.close();
  await database.drop();
});

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
const put = (name: string, data: Uint8Array) => system.transaction((tx) => putArtifact(tx, name, [data]));
const stored = async (name: string): Promise<string[]> => {
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from artifact where name = ${name} order by id`.execute(system.db);
  return rows.map((row) => row.sha256);
};

test('50 MB go in and come out the same, fetched once', async () => {
  const data = randomBytes(50 * 1024 * 1024 + 12_345);
  async function* pieces() {
    for (let at = 0; at < data.length; at += 70_001) yield data.subarray(at, at + 70_001);
  }
  const putAt = performance.now();
  const artifact = await system.transaction((tx) => putArtifact(tx, 'big', pieces()));
  const openAt = performance.now();
  expect(artifact).toMatchObject({ name: 'big', sha256: sha256(data), bytes: data.length });
  const [first, second] = await Promise.all([artifacts.openArtifact('big'), artifacts.openArtifact('big')]);
  const doneAt = performance.now();
  console.info(`50 MB: put ${Math.round(openAt - putAt)} ms, fetch ${Math.round(doneAt - openAt)} ms`);
  expect(first?.path).toBe(join(dataDir, 'artifacts', sha256(data)));
  expect(second).toEqual(first);
  expect(sha256(await readFile(first?.path ?? ''))).toBe(sha256(data));
  const before = await stat(first?.path ?? '');
  await artifacts.openArtifact('big');
  expect((await stat(first?.path ?? '')).ino).toBe(before.ino);
});

test('when no file can be created, no transaction stays open', async () => {
  await put('homeless', randomBytes(1_000));
  // The path is so long that the folder and its index can be created, but the longer file name cannot.
  const deep = dataDir + `/${'d'.repeat(199)}`.repeat(19);
  const cornered = createArtifacts({
    postgres: app,
    dataDir: `${deep}/${'e'.repeat(4_010 - deep.length - 1)}`,
    log,
    clock,
  });
  for (let call = 0; call < 3; call += 1)
    await expect(cornered.openArtifact('homeless')).rejects.toThrow(/ENAMETOOLONG/);
  expect(app.pool.totalCount - app.pool.idleCount).toBe(0);
});

test('a flipped byte in the cached file is noticed and the file fetched again', async () => {
  const data = randomBytes(3_000_000);
  await put('flip', data);
  const opened = await artifacts.openArtifact('flip');
  const path = opened?.path ?? '';
  const { mtime } = await stat(path);
  const bytes = await readFile(path);
  bytes[1_500_000] = (bytes[1_500_000] ?? 0) ^ 1;
  await writeFile(path, bytes);
  await utimes(path, mtime, mtime);
  await artifacts.openArtifact('flip');
  expect(sha256(await readFile(path))).toBe(sha256(data));
  // A process that starts later verifies the file again.
  await writeFile(path, bytes);
  await createArtifacts({ postgres: app, dataDir, log, clock }).openArtifact('flip');
  expect(sha256(await readFile(path))).toBe(sha256(data));
});

test('a flipped byte in the stored chunks never becomes a file', async () => {
  await put('rotten', randomBytes(2_000_000));
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`update artifact_chunk set data = set_byte(data, 5, 255 - get_byte(data, 5))
    where ordinal = 1 and artifact_id = (select id from artifact where name = 'rotten')`);
  await owner.end();
  await expect(artifacts.openArtifact('rotten')).rejects.toThrow(/SHA-256/);
  expect((await readdir(join(dataDir, 'artifacts'))).filter((file) => file !== 'names')).toEqual([]);
});

test('the last two versions of a name are kept in both places', async () => {
  const versions = [randomBytes(10), randomBytes(11), randomBytes(12)];
  for (const version of versions) {
    await put('list', version);
    await artifacts.openArtifact('list');
    nowMs += 3_600_000;
  }
  // The sweep runs when a new version arrives, and skips files younger than ten minutes.
  await put('other', randomBytes(5));
  await artifacts.openArtifact('other');
  const kept = versions.slice(1).map(sha256);
  expect(await stored('list')).toEqual(kept);
  const files = await readdir(join(dataDir, 'artifacts'));
  expect(files).toEqual(expect.arrayContaining(kept));
  expect(files).not.toContain(sha256(versions[0] ?? Buffer.alloc(0)));
});

test('the same content again adds no version', async () => {
  const data = randomBytes(1_000);
  await put('same', data);
  const again = await put('same', data);
  expect(again.sha256).toBe(sha256(data));
  expect(await stored('same')).toEqual([sha256(data)]);
});

test('a version appears when its transaction commits; an empty or absent artifact is not an error', async () => {
  await expect(
    system.transaction(async (tx) => {
      await putArtifact(tx, 'undone', [randomBytes(10)]);
      throw new Error('Change of mind.');
    }),
  ).rejects.toThrow('Change of mind.');
  expect(await artifacts.openArtifact('undone')).toBeNull();
  await put('empty', new Uint8Array());
  const empty = await artifacts.openArtifact('empty');
  expect((await readFile(empty?.path ?? '')).length).toBe(0);
  await expect(
    system.transaction((tx) => putArtifact(tx, 'large', [randomBytes(100)], { bytesMax: 99 })),
  ).rejects.toThrow(/larger than 99/);
});

test('while PostgreSQL is unreachable the newest cached version is served', async () => {
  const data = randomBytes(2_000);
  await put('offline', data);
  await artifacts.openArtifact('offline');
  const away = connectPostgres(
    loadConfig({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' }),
    'assay_app',
  );
  const opened = await createArtifacts({ postgres: away, dataDir, log, clock }).openArtifact('offline');
  expect(sha256(await readFile(opened?.path ?? ''))).toBe(sha256(data));
  await away.close();
});
