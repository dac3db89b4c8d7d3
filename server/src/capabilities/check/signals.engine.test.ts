import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import {
  type Assessment,
  type Assessor,
  createAssessor,
  createMissCache,
} from '#capabilities/judging/index.ts';
import {
  openSignalBooks,
  type Signals,
  signalsWorkerPart,
  trainSignals,
} from '#capabilities/signals/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { createLog } from '#platform/log.ts';
import { parsed, type SimulatedCorpus, simulateCorpus } from '#test/simulated-corpus.ts';
import { checkAsOf } from './check-as-of.ts';
import { judgePast } from './judge-past.ts';

/** The tests are consecutive days and run in order. */

const START_MS = Date.UTC(2026, 7, 1, 6, 30);
const HOUR_MS = 3_600_000;
const log = createLog('silent');
const LURES = ['login', 'verify', 'secure', 'wallet', 'account'];
const GOODS = [
  'garden',
  'school',
  'music',
  'travel',
  'kitchen',
  'sport',
  'books',
  'photo',
  'house',
  'market',
];
const NAMES = 400;
const ASIDE_MIN = 20;

let simulated: SimulatedCorpus;
let signals: Signals;
let assessNow: Assessor;
let dataDir: string;

beforeAll(async () => {
  simulated = await simulateCorpus(START_MS);
  dataDir = mkdtempSync(join(tmpdir(), 'assay-signals-'));
  const numbers = Array.from({ length: NAMES }, (_, at) => at);
  const { list } = simulated;
  await list('c2', ['20.0.0.1', '20.0.0.2', '20.0.0.3', '20.0.0.4', '20.0.7.1'], {
    category: 'c2',
    letter: 'B',
  });
  await list(
    'phish',
    numbers.map((at) => `${LURES[at % 5]}-${LURES[Math.floor(at / 5) % 5]}${at.toString(36)}.xyz`),
    { category: 'phishing', letter: 'B' },
  );
  await list(
    'top',
    [
      { indicator: parsed('google.com'), rank: 1 },
      { indicator: parsed('secure-login-site.xyz'), rank: 900 },
      ...numbers.map((at) => ({
        indicator: parsed(`${GOODS[at % 10]}${GOODS[Math.floor(at / 10) % 10]}${at.toString(36)}.com`),
        rank: 20_000 + at,
      })),
    ],
    { threatClass: 'allowlist', guard: 'popularity' },
  );
  await list('cloud', ['20.0.0.9'], { threatClass: 'infrastructure', attributes: ['cloud'] });
  await simulated.follow();
  await open();
});
afterAll(async () => {
  await signals?.close();
  await simulated?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const ASKED = [
  '20.0.0.5',
  '20.0.0.9',
  '20.0.7.200',
  '20.0.0.1',
  '30.0.0.1',
  'secure-wallet-verify.xyz',
  'secure-login-site.xyz',
  'xn--ggle-55da.com',
  'http://secure-wallet-verify.xyz/x',
  'never-seen-before.org',
];

async function open(): Promise<void> {
  await signals?.close();
  const { postgres, clock, corpus } = simulated;
  const artifacts = createArtifacts({ postgres, dataDir, log, clock });
  signals = await openSignalBooks({ postgres, artifacts, dataDir, log });
  const misses = createMissCache(clock);
  assessNow = createAssessor({ corpus, clock, misses, enrichment: { book: () => EMPTY_BOOK }, signals });
}

const train = () =>
  trainSignals({ ...simulated.deps, log, openNetworks: async () => null }, { heldAsideMin: ASIDE_MIN });
const answers = (): readonly Assessment[] => ASKED.map((text) => assessNow(parsed(text) as Indicator));
const scores = () =>
  Object.fromEntries(
    answers().map(({ verdict }, at) => [
      ASKED[at],
      verdict.riskScore.factors.map(({ name, contribution }) => `${name} ${contribution}`).join(', '),
    ]),
  );

let before: readonly Assessment[];
let trained: readonly Assessment[];

describe('signals from training to answer', () => {
  test('a node without a training has no signals and says so in the snapshot', () => {
    before = answers();
    expect(before.every(({ snapshotId }) => snapshotId.endsWith('00000000-2'))).toBe(true);
    expect(before[0]?.verdict.riskScore.score).toBe(0);
  });

  test('a training raises what foresees a listing, and nothing that a list speaks for', async () => {
    simulated.clock.set(START_MS + HOUR_MS);
    expect((await train()).outcome).toBe('trained');
    await open();
    trained = answers();
    expect(scores()).toMatchObject({
      '20.0.0.5': 'neighbourhood 38',
      '20.0.0.9': '',
      '20.0.7.200': 'neighbourhood 4',
      '30.0.0.1': '',
      'secure-wallet-verify.xyz': 'name 38',
      'secure-login-site.xyz': '',
      'xn--ggle-55da.com': 'imitates 45',
      'http://secure-wallet-verify.xyz/x': 'name 38',
      'never-seen-before.org': '',
    });
    expect(trained[0]?.snapshotId).toContain(signals.book().version);
    expect(trained.every(({ verdict }) => !verdict.malicious)).toBe(true);
  });

  test('the same corpus gives the same version, and nothing is stored twice', async () => {
    simulated.clock.set(START_MS + 2 * HOUR_MS);
    const again = await train();
    expect(again).toMatchObject({ outcome: 'unchanged', version: { version: signals.book().version } });
  });

  test('a past answer is replayed with the signals of that time', async () => {
    simulated.clock.set(START_MS + 30 * HOUR_MS);
    await simulated.list('c2', ['30.0.0.2']);
    await simulated.follow();
    expect((await train()).outcome).toBe('trained');
    await open();
    expect(scores()).toMatchObject({ '30.0.0.1': 'neighbourhood 4' });
    const deps = { ...simulated, enrichment: { bookAt: async () => EMPTY_BOOK }, signals };
    for (const stored of [...before, ...trained]) {
      const again = await checkAsOf(deps, stored.subject, stored.nowMs);
      expect(again.verdict).toEqual(stored.verdict);
      expect(again.snapshotId).toBe(stored.snapshotId);
    }
  });

  test('the last day of a history is judged as a check of the same moment, signals included', async () => {
    const deps = { ...simulated, enrichment: { bookAt: async () => EMPTY_BOOK }, signals };
    for (const text of ASKED) {
      const { assessments } = await judgePast(deps, parsed(text) as Indicator, 2);
      expect(assessments.at(-1)?.verdict, text).toEqual(assessNow(parsed(text) as Indicator).verdict);
    }
  });

  test('the node starts with the signals that it last had while PostgreSQL is away', async () => {
    const { version } = signals.book();
    const away = { db: new Proxy({}, { get: refuse }) } as unknown as SimulatedCorpus['postgres'];
    const artifacts = createArtifacts({ postgres: away, dataDir, log, clock: simulated.clock });
    const alone = await openSignalBooks({ postgres: away, artifacts, dataDir, log });
    expect(alone.book().version).toBe(version);
    await alone.close();
  });

  test('the worker trains once a night', () => {
    const part = signalsWorkerPart({ ...simulated.deps, log, openNetworks: async () => null });
    expect(part.crons).toMatchObject([{ job: 'signals.train', pattern: '53 3 * * *' }]);
    expect(part.jobs.map(({ name }) => name)).toEqual(['signals.train']);
  });
});

function refuse(): never {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
}
