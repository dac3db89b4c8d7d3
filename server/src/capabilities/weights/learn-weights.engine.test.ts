import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ListedRow, mergeSnapshot, type SourceSettings } from '#capabilities/corpus/index.ts';
import { type AgeGroup, SHIPPED_BOOK, SHIPPED_TABLE } from '#domain/weights/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { sha256Of } from '#platform/sha256.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { parsed } from '#test/simulated-corpus.ts';
import { weightsWorkerPart } from './jobs.ts';
import { type LearnReport, learnWeights } from './learn-weights.ts';
import { RefusedReference } from './reference-file.ts';
import { listVersions, newestRun } from './store.ts';

const START_MS = Date.UTC(2026, 8, 1, 4, 10);
const DAY_MS = 86_400_000;
const log = createLog('silent');

let nowMs: number;
const clock = { ...systemClock(), now: () => nowMs };
let database: TestDatabase;
let system: Postgres;
let folder: string;

beforeEach(async () => {
  nowMs = START_MS;
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  folder = mkdtempSync(join(tmpdir(), 'assay-weights-'));
});
afterEach(async () => {
  await system?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const PHISHING: SourceSettings = { letter: 'B', fpRisk: 'medium', category: 'phishing' };
const names = (word: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${word}${at}.example-${word}.com`);

async function list(
  id: string,
  values: readonly (string | ListedRow)[],
  settings: SourceSettings = PHISHING,
) {
  const rows = values.map((value) => (typeof value === 'string' ? { indicator: parsed(value) } : value));
  await mergeSnapshot({ system, clock }, id, [rows as readonly ListedRow[]], {
    dataAtMs: nowMs,
    settings,
    allowEmpty: true,
  });
}
const dated = (values: readonly string[], firstSeenMs: number): readonly ListedRow[] =>
  values.map((value) => ({ indicator: parsed(value), firstSeenMs }));

type Given = {
  readonly hosts?: readonly string[] | null;
  readonly isSuspected?: (host: string) => boolean;
  readonly isDryRun?: boolean;
  readonly hostsMin?: number;
};
function learn({ hosts = null, isSuspected = () => false, isDryRun = false, hostsMin = 1 }: Given = {}) {
  const referenceFile = hosts === null ? null : join(folder, 'hosts.txt');
  if (referenceFile !== null) writeFileSync(referenceFile, `${hosts?.join('\n')}\n`);
  const artifacts = createArtifacts({ postgres: system, dataDir: folder, log, clock });
  const deps = { system, clock, log, artifacts, referenceFile, openSuspicion: async () => isSuspected };
  return learnWeights(deps, { isDryRun, hostsMin });
}
const cellOf = ({ table }: LearnReport, source: string, group: AgeGroup) =>
  table.cells.find((cell) => cell.source === source && cell.group === group);
/** Digests of the stored tables, by day: a difference of two tables would fill the screen. */
const storedTexts = async (): Promise<readonly string[]> =>
  (await sql<{ learned: string }>`select learned from learned_run order by day`.execute(system.db)).rows.map(
    ({ learned }) => sha256Of(learned),
  );

/** 2,000 names of a list of the shipped table; 513 visited ones make a host of the reference count one. */
const ANCHOR = names('anchor', 2_000);
const SCALE_ONE = ANCHOR.slice(0, 513);

describe('a run', () => {
  test('without a reference leaves the shipped table in force and gives it its name', async () => {
    await list('blp-phishing', ANCHOR);
    const report = await learn();
    expect(report).toMatchObject({ outcome: 'unchanged', hasOwnReference: false });
    expect(report.table.cells).toEqual(SHIPPED_TABLE.cells);
    expect(await listVersions(system.db)).toEqual([
      expect.objectContaining({ version: SHIPPED_TABLE.version, digest: SHIPPED_BOOK.digest, atMs: 0 }),
    ]);
  });

  test('twice on the same data gives the same table to the byte and no second version', async () => {
    await list('blp-phishing', ANCHOR);
    await list('new', [...names('new', 4_000), 'good0.org', 'good1.org']);
    const hosts = [...SCALE_ONE, 'good0.org', 'good1.org'];
    expect((await learn({ hosts })).outcome).toBe('learned');
    const [first] = await storedTexts();
    nowMs += 3_600_000;
    expect((await learn({ hosts })).outcome).toBe('unchanged');
    expect(await storedTexts()).toEqual([first]);
    expect(await listVersions(system.db)).toHaveLength(2);
  });

  test('on the same day replaces the one before, and starts from the day before', async () => {
    await list('blp-phishing', ANCHOR);
    await list('phishing-database', names('base', 3_000));
    await learn({ hosts: SCALE_ONE });
    nowMs += DAY_MS;
    const first = await learn({ hosts: [...SCALE_ONE, ...names('base', 300)] });
    nowMs += 3_600_000;
    const second = await learn({ hosts: SCALE_ONE });
    nowMs += 3_600_000;
    const third = await learn({ hosts: SCALE_ONE });
    // All begin at the 34 points of the first day, on which the cell asked for `medium` once.
    expect(cellOf(first, 'phishing-database', 'U')?.points).toBe(31);
    expect(cellOf(second, 'phishing-database', 'U')).toMatchObject({ points: 34, asked: 2 });
    expect(cellOf(third, 'phishing-database', 'U')).toEqual(cellOf(second, 'phishing-database', 'U'));
    expect(await storedTexts()).toHaveLength(2);
  });

  test('that only tries writes nothing', async () => {
    await list('blp-phishing', ANCHOR);
    expect((await learn({ hosts: SCALE_ONE, isDryRun: true })).outcome).toBe('dry-run');
    expect(await newestRun(system.db)).toBeNull();
    expect(await listVersions(system.db)).toMatchObject([{ version: 'shipped', artifact: null }]);
  });

  test('with a reference of too few hosts is refused and changes nothing', async () => {
    await list('blp-phishing', ANCHOR);
    await expect(learn({ hosts: SCALE_ONE, hostsMin: 100_000 })).rejects.toThrow(RefusedReference);
    expect(await newestRun(system.db)).toBeNull();
  });

  test('comes once a night, after the signals', () => {
    const part = weightsWorkerPart({} as Parameters<typeof weightsWorkerPart>[0]);
    expect(part.crons).toMatchObject([{ job: 'weights.learn', pattern: '10 4 * * *' }]);
    expect(part.jobs.map(({ name }) => name)).toEqual(['weights.learn']);
  });
});

describe('what is counted', () => {
  test('names by the day on which the source first had them', async () => {
    await list('blp-phishing', ANCHOR);
    await list('dated', [
      ...dated(names('fresh', 50), nowMs - 59 * DAY_MS),
      ...dated(names('mature', 60), nowMs - 60 * DAY_MS),
      ...dated(names('old', 70), nowMs - 365 * DAY_MS),
      ...names('undated', 80),
      '198.51.100.7',
    ]);
    const report = await learn({ hosts: SCALE_ONE });
    expect((['F', 'M', 'O', 'U'] as const).map((group) => cellOf(report, 'dated', group)?.n)).toEqual([
      50, 60, 70, 80,
    ]);
  });

  test('a visited host by the nearest listing of each source, exact or above it, once', async () => {
    await list('blp-phishing', ANCHOR);
    await list('one', [...names('one', 100), 'a.shop.org', 'shop.org', 'www.mail.org']);
    await list('two', [...names('two', 100), 'shop.org', 'github.io']);
    const hosts = ['a.shop.org', 'www.a.shop.org', 'b.shop.org', 'mail.org', 'tenant.github.io', 'github.io'];
    const report = await learn({ hosts: [...SCALE_ONE, ...hosts] });
    expect([cellOf(report, 'one', 'U')?.h, cellOf(report, 'two', 'U')?.h]).toEqual([3, 2]);
  });

  test('no host of a top list to rank 100,000, none that is suspected by its name, no platform that a list names', async () => {
    await list('blp-phishing', ANCHOR);
    await list('one', [...names('one', 100), 'top.org', 'known.org', 'fake-bank.org', 'dyn.org', 'free.org']);
    const popular: SourceSettings = { threatClass: 'allowlist', guard: 'popularity', category: 'top-sites' };
    await list(
      'top',
      [
        { indicator: parsed('top.org'), rank: 100_000 },
        { indicator: parsed('known.org'), rank: 100_001 },
      ],
      popular,
    );
    await list('dynamic', ['dyn.org'], { threatClass: 'infrastructure', attributes: ['dynamic-dns'] });
    const report = await learn({
      hosts: [...SCALE_ONE, 'top.org', 'known.org', 'fake-bank.org', 'dyn.org', 'a.dyn.org', 'free.org'],
      isSuspected: (host) => host.startsWith('fake-'),
    });
    expect(cellOf(report, 'one', 'U')?.h).toBe(2);
    expect(report.table.lists.find(({ source }) => source === 'one')?.topHits).toBe(1);
  });

  test('what left a list or grew older, with the visited hosts among it', async () => {
    await list('blp-phishing', ANCHOR);
    const leaving = names('leaving', 60);
    const ageing = dated(names('ageing', 70), nowMs - 59 * DAY_MS);
    const staying = dated(names('staying', 80), nowMs - 5 * DAY_MS);
    const fresh = dated(leaving, nowMs - 5 * DAY_MS);
    await list('one', [...fresh, ...ageing, ...staying]);
    const hosts = [...SCALE_ONE, ...leaving.slice(0, 6), ...names('ageing', 7)];
    expect(cellOf(await learn({ hosts }), 'one', 'F')).toMatchObject({ n: 210, h: 13 });
    nowMs += DAY_MS;
    await list('one', [...ageing, ...staying]);
    const report = await learn({ hosts });
    expect(cellOf(report, 'one', 'F')).toMatchObject({ n: 210, h: 13, gone: { n: 130, h: 13 } });
    expect(cellOf(report, 'one', 'M')).toMatchObject({ n: 70, h: 7 });
    nowMs += 90 * DAY_MS;
    await list('one', []);
    expect(cellOf(await learn({ hosts }), 'one', 'M')?.gone).toEqual({ n: 70, h: 7 });
  });
});

describe('an own reference', () => {
  test('users who follow phishing links do not disarm the list that caught them', async () => {
    await list('blp-phishing', ANCHOR);
    const caught = names('caught', 400);
    await list('one', dated(caught, Date.UTC(2026, 7, 20)));
    const visitedOn = (day: string, clients: number) => [
      ...SCALE_ONE,
      ...caught.slice(0, 200).map((host) => `${host}\t${clients}\t${day}`),
    ];
    const after = await learn({ hosts: visitedOn('2026-08-20', 9) });
    expect(cellOf(after, 'one', 'F')?.h).toBe(0);
    nowMs += DAY_MS;
    // Sites that were visited before the list had them, or that many people visit, are what it gets wrong.
    expect(cellOf(await learn({ hosts: visitedOn('2026-08-19', 9) }), 'one', 'F')?.h).toBe(200);
    nowMs += DAY_MS;
    expect(cellOf(await learn({ hosts: visitedOn('2026-08-20', 10) }), 'one', 'F')?.h).toBe(200);
  });

  test('of an undated entry nobody knows the first day, so only hosts of many clients count', async () => {
    await list('blp-phishing', ANCHOR);
    await list('one', names('one', 100));
    const hosts = [...SCALE_ONE, ...names('one', 10).map((host) => `${host}\t2020-01-01`)];
    expect(cellOf(await learn({ hosts }), 'one', 'U')?.h).toBe(0);
  });

  test('60,000 invented names beside 20 honest sites of a list of grade C', async () => {
    await list('blp-phishing', ANCHOR);
    const honest = names('honest', 20);
    await list('padded', [...names('invented', 60_000), ...honest], { ...PHISHING, letter: 'C' });
    // Without a reference the list has no cell, and its grade decides.
    expect(cellOf(await learn(), 'padded', 'U')).toBeUndefined();
    nowMs += DAY_MS;
    const hosts = [...SCALE_ONE, ...honest];
    const cell = cellOf(await learn({ hosts }), 'padded', 'U');
    // Padding lowers the share: the caps of grade C and of the first 30 nights are what keeps it from blocking.
    expect(cell).toMatchObject({ n: 60_020, h: 20, nights: 1 });
    expect(cell?.f).toBeGreaterThan(0.0004);
  });
});
