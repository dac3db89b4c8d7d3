import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergeSnapshot } from '#capabilities/corpus/index.ts';
import { SHIPPED_BOOK, type WeightBook } from '#domain/weights/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { parsed } from '#test/simulated-corpus.ts';
import { learnWeights } from './learn-weights.ts';
import { openWeightBooks, type Weights } from './open-weights.ts';
import type { CountMoves } from './put-into-force.ts';
import { releaseWeights } from './release-weights.ts';
import { listVersions } from './store.ts';
import { readWeightsState } from './weights-state.ts';

/** The tests are consecutive days and run in order. */

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const START_MS = Date.UTC(2026, 8, 1, 4, 10);
const log = createLog('silent');
let nowMs = START_MS;
const clock = { ...systemClock(), now: () => nowMs };
let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let dataDir: string;
let weights: Weights;

const artifacts = () => createArtifacts({ postgres, dataDir, log, clock });
async function open(): Promise<void> {
  await weights?.close();
  weights = await openWeightBooks({ postgres, artifacts: artifacts(), dataDir, log });
}
beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  postgres = connectPostgres({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 }, 'assay_app', PATIENT);
  dataDir = mkdtempSync(join(tmpdir(), 'assay-weights-'));
  const anchor = words('anchor', 5_000);
  writeFileSync(
    join(dataDir, 'hosts.txt'),
    anchor
      .slice(0, 513)
      .map((word) => `${word}.org\n`)
      .join(''),
  );
});
afterAll(async () => {
  await weights?.close();
  await Promise.all([system?.close(), postgres?.close()]);
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const list = (id: string, words: readonly string[], options: object = {}) =>
  mergeSnapshot(
    { system, clock },
    id,
    [words.map((word) => ({ indicator: parsed(`${word}.org`), ...options }))],
    {
      dataAtMs: nowMs,
      settings: { letter: 'B', category: 'phishing' },
      allowEmpty: true,
    },
  );
const words = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word}${at}`);
/** Visited are 123 names of a list of the shipped table, so that one host counts one and its cell stays as it is. */
const learn = (countMoves?: CountMoves) =>
  learnWeights(
    {
      system,
      clock,
      log,
      artifacts: createArtifacts({ postgres: system, dataDir, log, clock }),
      referenceFile: join(dataDir, 'hosts.txt'),
      openSuspicion: async () => () => false,
      ...(countMoves && { countMoves }),
    },
    { hostsMin: 1 },
  );
const nextNight = async (countMoves?: CountMoves) => {
  nowMs += DAY_MS;
  return learn(countMoves);
};
/** Makes the corpus say something new: a source that the shipped table lacks gets a cell. */
const addSource = (id: string) => list(id, words(id, 300));
const pointsIn = (book: WeightBook | null, source: string) => book?.cellOf(source, 'U')?.points;
/** 300 undated names of grade B, none visited. */
const LEARNED = 44;

describe('a migration', () => {
  const migration = readFileSync(
    join(import.meta.dirname, '../../../migrations/0067_learned_weights.sql'),
    'utf8',
  );
  const insert = /insert into learned_version[^;]+;/.exec(migration)?.[0] ?? '';

  test('of an empty installation says that the shipped table was always in force', async () => {
    await open();
    expect(await weights.bookAt(Date.UTC(2020, 0, 1))).toBe(SHIPPED_BOOK);
  });

  test('of one in use says that model 2 was in force until then', async () => {
    await list('sw-scam', words('anchor', 5_000));
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await owner.query('delete from learned_version');
    await owner.query(insert);
    await owner.query('update learned_version set at = $1', [new Date(nowMs - HOUR_MS)]);
    await owner.end();
    expect(await weights.bookAt(nowMs - 2 * HOUR_MS)).toBeNull();
    expect(await weights.bookAt(nowMs)).toBe(SHIPPED_BOOK);
  });
});

describe('versions', () => {
  test('the first run of an installation never waits', async () => {
    await addSource('first');
    const moves: CountMoves = async () => [
      { list: 'domains-all', entries: 1_000, entering: 900, leaving: 0 },
    ];
    expect((await learn(moves)).outcome).toBe('learned');
    await weights.refresh();
    expect(pointsIn(weights.book(), 'first')).toBe(LEARNED);
  });

  test('a night that changes nothing makes no version', async () => {
    expect((await nextNight()).outcome).toBe('unchanged');
    expect(await listVersions(system.db)).toHaveLength(2);
  });

  test('one that moves the shared lists much waits, and the version in force stays everywhere', async () => {
    await addSource('second');
    const asked: (number | undefined)[][] = [];
    const moves: CountMoves = async (from, to) => {
      asked.push([pointsIn(from, 'second'), pointsIn(to, 'second')]);
      return [
        { list: 'domains-all', entries: 100_000, entering: 1_500, leaving: 1_500 },
        { list: 'ips-all', entries: 100_000, entering: 400, leaving: 0 },
      ];
    };
    const report = await nextNight(moves);
    expect(report.outcome).toBe('held');
    expect(report.reasons).toEqual(['domains-all: 1500 entries would be added and 1500 removed, of 100000.']);
    expect(asked).toEqual([[undefined, LEARNED]]);
    await weights.refresh();
    expect(pointsIn(weights.book(), 'second')).toBeUndefined();
    expect((await readWeightsState(postgres.db))?.held?.reasons).toEqual(report.reasons);
  });

  test('the next night replaces a version that waits', async () => {
    const report = await nextNight(async () => [
      { list: 'domains-all', entries: 1_000, entering: 600, leaving: 0 },
    ]);
    expect(report.outcome).toBe('held');
    expect((await listVersions(system.db)).filter(({ isHeld }) => isHeld)).toHaveLength(1);
  });

  test('a release puts it into force from that moment on, and asOf keeps the version of before', async () => {
    const before = weights.book();
    nowMs += HOUR_MS;
    expect(await releaseWeights({ system, clock, log })).toMatchObject({ isHeld: false, atMs: nowMs });
    expect(await releaseWeights({ system, clock, log })).toBeNull();
    await weights.refresh();
    expect(pointsIn(weights.book(), 'second')).toBe(LEARNED);
    expect(await weights.bookAt(nowMs - 1)).toEqual(expect.objectContaining({ digest: before.digest }));
    expect((await weights.bookAt(nowMs))?.digest).toBe(weights.book().digest);
    expect((await readWeightsState(postgres.db))?.held).toBeNull();
  });

  test('small moves do not wait', async () => {
    await addSource('third');
    const report = await nextNight(async () => [
      { list: 'domains-all', entries: 1_000, entering: 500, leaving: 0 },
    ]);
    expect(report.outcome).toBe('learned');
  });

  test('the node starts with the version that it last had while PostgreSQL is away', async () => {
    await weights.refresh();
    const { digest } = weights.book();
    const away = { db: new Proxy({}, { get: refuse }) } as unknown as Postgres;
    const alone = await openWeightBooks({
      postgres: away,
      artifacts: createArtifacts({ postgres: away, dataDir, log, clock }),
      dataDir,
      log,
    });
    expect(alone.book().digest).toBe(digest);
    await alone.close();
  });

  test('versions stay for as long as a moment can be replayed', async () => {
    const atMs = nowMs;
    const { digest } = weights.book();
    nowMs += 89 * DAY_MS;
    await addSource('fourth');
    await learn();
    expect((await weights.bookAt(atMs))?.digest).toBe(digest);
    nowMs += 92 * DAY_MS;
    await learn();
    expect((await listVersions(system.db)).map(({ digest: each }) => each)).not.toContain(digest);
  });
});

function refuse(): never {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
}
