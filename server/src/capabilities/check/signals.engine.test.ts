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
const DAY_MS = 24 * HOUR_MS;
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
/** Words of phishing that is older than 60 days. */
const OLD = ['kupon', 'loterie', 'gewinn'];
const NAMES = 400;
const ASIDE_MIN = 20;

/** Four in one /28, one alone, and three in a /24, which are very dense as command servers. */
const SERVERS = '20.0.0.1 20.0.0.2 20.0.0.3 20.0.0.4 20.0.7.1 20.0.8.1 20.0.8.100 20.0.8.200'.split(' ');
const GONE_SERVERS = ['20.0.9.1', '20.0.9.2'];
/** Dated by its source: a name without a date may be of any age and teaches nothing. */
const foundAgo = (days: number, name: string) => ({
  indicator: parsed(name),
  firstSeenMs: START_MS - days * DAY_MS,
});

let simulated: SimulatedCorpus;
let signals: Signals;
let assessNow: Assessor;
let dataDir: string;

beforeAll(async () => {
  simulated = await simulateCorpus(START_MS - HOUR_MS);
  dataDir = mkdtempSync(join(tmpdir(), 'assay-signals-'));
  const numbers = Array.from({ length: NAMES }, (_, at) => at);
  const { list } = simulated;
  await list('c2', [...SERVERS, ...GONE_SERVERS], { category: 'c2', letter: 'B' });
  const phish = [
    ...numbers.map((at) =>
      foundAgo(10, `${LURES[at % 5]}-${LURES[Math.floor(at / 5) % 5]}${at.toString(36)}.xyz`),
    ),
    // Two new tenants, which are too few: the others are too old or have no date.
    foundAgo(5, 'one-new.surge.sh'),
    foundAgo(5, 'two-new.surge.sh'),
    foundAgo(91, 'three-old.surge.sh'),
    'four-undated.surge.sh',
  ];
  const gone = ['one', 'two', 'three'].flatMap((name) => [
    foundAgo(80, `${name}-gone.iceiy.com`),
    foundAgo(80, `${name}-gone.wordpress.com`),
  ]);
  await list('phish', [...phish, ...gone], { category: 'phishing', letter: 'B' });
  await list(
    'old-phish',
    numbers.map((at) => foundAgo(61, `${OLD[at % 3]}-${at.toString(36)}.top`)),
    { category: 'phishing', letter: 'B' },
  );
  await list(
    'trails',
    ['left', 'right', 'centre'].map((name) => foundAgo(5, `${name}.glitch.me`)),
    { category: 'malware', letter: 'B' },
  );
  simulated.clock.set(START_MS);
  await list('c2', SERVERS);
  await list('phish', phish);
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
  '20.0.8.50',
  '20.0.9.9',
  '20.0.0.1',
  '30.0.0.1',
  'secure-wallet-verify.xyz',
  'secure-login-site.xyz',
  'kupon-loterie.top',
  'garden-login-1234.iceiy.com',
  'garden-roses-1234.iceiy.com',
  'garden-login-1234.wordpress.com',
  'garden-login-1234.surge.sh',
  'garden-login-1234.glitch.me',
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
  test('a node without a training knows brands alone and says so in the snapshot', () => {
    before = answers();
    expect(before.every(({ snapshotId }) => /00000000[0-9a-f]{8}-\d+$/.test(snapshotId))).toBe(true);
    expect(scores()).toMatchObject({
      '20.0.0.5': '',
      'secure-wallet-verify.xyz': '',
      'garden-login-1234.iceiy.com': '',
      'xn--ggle-55da.com': 'imitates 45',
    });
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
      '20.0.8.50': 'neighbourhood 38',
      '20.0.9.9': 'neighbourhood 16',
      '30.0.0.1': '',
      'secure-wallet-verify.xyz': 'name 38',
      'secure-login-site.xyz': '',
      'kupon-loterie.top': '',
      'garden-login-1234.iceiy.com': 'tenant 38',
      'garden-roses-1234.iceiy.com': '',
      'garden-login-1234.wordpress.com': '',
      'garden-login-1234.surge.sh': '',
      'garden-login-1234.glitch.me': '',
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
