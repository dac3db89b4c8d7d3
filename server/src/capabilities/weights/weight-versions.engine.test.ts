import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergeSnapshot, registerSource } from '#capabilities/corpus/index.ts';
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
const learn = (countMoves?: CountMoves) =>
  learnWeights({
    system,
    clock,
    log,
    artifacts: createArtifacts({ postgres: system, dataDir, log, clock }),
    referenceFile: null,
    openSuspicion: async () => () => false,
    ...(countMoves && { countMoves }),
  });
const nextNight = async (countMoves?: CountMoves) => {
  nowMs += DAY_MS;
  return learn(countMoves);
};
/** Makes the corpus say something new: a source becomes an archive. */
const archive = (id: string) => registerSource({ system, clock }, id, { semantics: 'archive' });
const classIn = (book: WeightBook | null, source: string) => book?.listOf(source)?.class;

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
    await list('first', words('first', 300));
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
    await archive('first');
    const moves: CountMoves = async () => [
      { list: 'domains-all', entries: 1_000, entering: 900, leaving: 0 },
    ];
    expect((await learn(moves)).outcome).toBe('learned');
    await weights.refresh();
    expect(classIn(weights.book(), 'first')).toBe('keeps');
  });

  test('a night that changes nothing makes no version', async () => {
    expect((await nextNight()).outcome).toBe('unchanged');
    expect(await listVersions(system.db)).toHaveLength(2);
  });

  test('one that moves the shared lists much waits, and the version in force stays everywhere', async () => {
    await list('second', words('second', 300));
    await archive('second');
    const asked: string[][] = [];
    const moves: CountMoves = async (from, to) => {
      asked.push([classIn(from, 'second') ?? 'none', classIn(to, 'second') ?? 'none']);
      return [
        { list: 'domains-all', entries: 100_000, entering: 1_500, leaving: 1_500 },
        { list: 'ips-all', entries: 100_000, entering: 400, leaving: 0 },
      ];
    };
    const report = await nextNight(moves);
    expect(report.outcome).toBe('held');
    expect(report.reasons).toEqual(['domains-all: 1500 entries would be added and 1500 removed, of 100000.']);
    expect(asked).toEqual([['none', 'keeps']]);
    await weights.refresh();
    expect(classIn(weights.book(), 'second')).toBeUndefined();
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
    expect(classIn(weights.book(), 'second')).toBe('keeps');
    expect(await weights.bookAt(nowMs - 1)).toEqual(expect.objectContaining({ digest: before.digest }));
    expect((await weights.bookAt(nowMs))?.digest).toBe(weights.book().digest);
    expect((await readWeightsState(postgres.db))?.held).toBeNull();
  });

  test('small moves do not wait', async () => {
    await list('third', words('third', 300));
    await archive('third');
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
    await archive('third');
    await list('fourth', words('fourth', 300));
    await archive('fourth');
    await learn();
    expect((await weights.bookAt(atMs))?.digest).toBe(digest);
    nowMs += 92 * DAY_MS;
    await learn();
    expect((await listVersions(system.db)).map(({ digest: each }) => each)).not.toContain(digest);
  });
});

describe('what lists take back', () => {
  /** A list with 300 names that are first seen on the second day; a third of them leaves 30 days later. */
  async function turnOver(id: string): Promise<void> {
    await list(id, words(`${id}-old`, 20));
    nowMs += DAY_MS;
    await list(id, [...words(`${id}-old`, 20), ...words(id, 300)]);
    for (let day = 0; day < 40; day += 10) {
      nowMs += 10 * DAY_MS;
      await list(id, [...words(`${id}-old`, 20), ...words(id, 300)]);
    }
    nowMs += 4 * DAY_MS;
    await list(id, [...words(`${id}-old`, 20), ...words(id, 200)]);
  }

  test('is measured from the periods of listings, 30 days after they were young', async () => {
    await turnOver('polkadot-phishing');
    const { table } = await learn();
    expect(table.lists.find(({ source }) => source === 'polkadot-phishing')).toMatchObject({
      judged: 300,
      r30: 0.3333,
      class: 'unknown',
      asked: { class: 'removes', nights: 1 },
    });
  });

  test('a class of a source with more than 1,000 entries at block waits, and nothing else does', async () => {
    await list('fifth', words('fifth', 300));
    await archive('fifth');
    const outcomes: string[] = [];
    for (let night = 2; night <= 8; night += 1) outcomes.push((await nextNight()).outcome);
    expect(outcomes).toEqual(['learned', 'unchanged', 'unchanged', 'unchanged', 'unchanged', 'held', 'held']);
    await weights.refresh();
    expect(classIn(weights.book(), 'fifth')).toBe('keeps');
    expect(classIn(weights.book(), 'polkadot-phishing')).toBe('unknown');
    expect((await readWeightsState(postgres.db))?.held?.reasons).toEqual([
      'polkadot-phishing: its class would change from unknown to removes; up to 54014 entries are at block.',
    ]);
    nowMs += HOUR_MS;
    await releaseWeights({ system, clock, log });
    await weights.refresh();
    expect(classIn(weights.book(), 'polkadot-phishing')).toBe('removes');
    expect((await nextNight()).outcome).toBe('unchanged');
  });

  test('is not measured while the data of the source is old', async () => {
    nowMs += 60 * DAY_MS;
    const { table } = await learn();
    const record = table.lists.find(({ source }) => source === 'polkadot-phishing');
    expect(record).toMatchObject({ judged: 300, class: 'removes' });
    expect(record).not.toHaveProperty('asked');
  });
});

function refuse(): never {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
}
