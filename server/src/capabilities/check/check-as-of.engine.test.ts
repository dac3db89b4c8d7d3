import { afterAll, beforeAll, expect, test } from 'vitest';
import { assignClusters, registerSource } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK, type NetworkBook } from '#capabilities/enrichment/index.ts';
import {
  type Assessment,
  type Assessor,
  createAssessor,
  createMissCache,
} from '#capabilities/judging/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import { parsed, type SimulatedCorpus, simulateCorpus } from '#test/simulated-corpus.ts';
import { type AsOfDeps, checkAsOf } from './check-as-of.ts';

const START_MS = Date.UTC(2026, 7, 1, 6, 30);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let simulated: SimulatedCorpus;
let assessNow: Assessor;
let deps: AsOfDeps;
const stored: Assessment[] = [];
const bookOf = (version: string, asn: number): NetworkBook => ({
  ...EMPTY_BOOK,
  version,
  networkOf: () => ({ asn, name: `Network ${asn}`, prefix: null }),
});
const books = [
  { fromMs: 0, book: bookOf('aaaaaa', 64_500) },
  { fromMs: START_MS + 5 * DAY_MS, book: bookOf('bbbbbb', 64_501) },
];
const bookAt = (ms: number) => books.findLast(({ fromMs }) => fromMs <= ms)?.book ?? EMPTY_BOOK;

beforeAll(async () => {
  simulated = await simulateCorpus(START_MS);
  const { corpus, clock, postgres } = simulated;
  const book = () => bookAt(clock.now());
  assessNow = createAssessor({ corpus, clock, misses: createMissCache(clock), enrichment: { book } });
  deps = { postgres, clock, enrichment: { bookAt: async (ms) => bookAt(ms) } };
});
afterAll(() => simulated?.close());

const ASKED = [
  '11.1.1.1',
  '11.1.1.200',
  '2a0b:f4c2:1:2::1',
  '2a0b:f4c2:1:2::77',
  'evil.example.com',
  'www.evil.example.com',
  'example.com',
  'never-seen.org',
  'popular.example.net',
  'http://evil.example.com/login',
  'http://11.1.1.1/x.sh',
  'aa'.repeat(32),
  'bb'.repeat(32),
  '192.168.1.1',
].map((text) => parsed(text) as Indicator);

async function answersOf(day: number): Promise<void> {
  await simulated.follow();
  simulated.clock.set(START_MS + day * DAY_MS + 17 * 60_000);
  for (const indicator of ASKED) stored.push(assessNow(indicator));
}
const day = (number: number) => simulated.clock.set(START_MS + number * DAY_MS);
const change = (id: string, settings: Parameters<typeof registerSource>[2]) =>
  registerSource(simulated.deps, id, settings);

/** Assessments without `version` of the sources: it counts merges, influences no verdict and has no history. */
const comparable = ({ listings, book, registry, ...assessment }: Assessment) => ({
  ...assessment,
  book: book.version,
  sources: registry.sources.map((source) => ({ ...source, version: 0 })),
  listings: listings.map(({ source, ...listing }) => ({ ...listing, source: { ...source, version: 0 } })),
});

test('imports, delistings, relistings, changed reliability, clusters, guards and networks: each past answer is reproduced', async () => {
  const { list } = simulated;
  await list('c2', ['11.1.1.1', '11.1.1.0/24', 'evil.example.com'], {
    category: 'c2',
    reliability: 0.9,
    letter: 'A',
  });
  await list('ssh', ['11.1.1.1', '2a0b:f4c2:1:2::1'], { category: 'brute-force', reliability: 0.6 });
  await list('drop-asn', ['AS64501'], { category: 'hijacked-netblock' });
  await list('phish', ['http://evil.example.com/login', 'www.evil.example.com'], { category: 'phishing' });
  await list('samples', ['aa'.repeat(32)], { category: 'malware', signal: 'scanner' });
  await answersOf(0);

  day(1);
  await list('c2', ['11.1.1.0/24', 'example.com']);
  await list('phish', []);
  await list('top', [{ indicator: parsed('popular.example.net'), rank: 40 }], {
    threatClass: 'allowlist',
    guard: 'popularity',
    rankMax: 1_000,
  });
  await list('samples', []);
  await answersOf(1);

  day(2);
  await change('ssh', { reliability: 0.85 });
  const { source } = simulated.corpus.lookup(parsed('11.1.1.200')).listings[0] ?? {};
  await simulated.deps.system.transaction((tx) =>
    assignClusters(
      tx,
      new Map([[source?.number as number, { cluster: 'ssh', echoes: {} }]]),
      simulated.clock.now(),
    ),
  );
  await list('c2', ['11.1.1.1', 'popular.example.net']);
  await answersOf(2);

  day(4);
  await list('edge', ['11.1.1.0/24'], {
    threatClass: 'infrastructure',
    guard: 'service',
    attributes: ['cdn'],
  });
  await list('phish', ['http://evil.example.com/other']);
  await answersOf(4);

  // No list is loaded from here on, so that listings age and no source is fresh; the routing table changes too.
  for (const later of [6, 20, 45]) {
    day(later);
    await answersOf(later);
  }
  day(46);
  await change('edge', { enabled: false });
  await answersOf(46);

  day(80);
  for (const before of stored)
    expect(comparable(await checkAsOf(deps, indicatorOf(before), before.nowMs))).toEqual(comparable(before));
});

/** The indicator that was asked for. It is the subject, because no URL of these tests names only a host. */
const indicatorOf = ({ subject }: Assessment): Indicator => subject;

test('the answers that were compared differ from day to day', () => {
  const scores = new Set(
    stored
      .filter(({ subject }) => subject.value === '11.1.1.1')
      .map(({ verdict, snapshotId }) => `${verdict.riskScore.score} ${snapshotId}`),
  );
  expect(scores.size).toBeGreaterThanOrEqual(7);
  expect(stored.some(({ listings }) => listings.some(({ isDelisted }) => isDelisted === true))).toBe(true);
  expect(
    stored.some(({ verdict }) => verdict.riskScore.factors.some(({ name }) => name === 'asn_listed')),
  ).toBe(true);
});

test.each([
  [
    'a moment in the future',
    () => simulated.clock.now() + 1,
    /^asOf is in the future\. Send a time with its zone, such as \d{4}-\d\d-\d\dT12:00:00Z\.$/,
  ],
  ['a moment more than 90 days ago', () => simulated.clock.now() - 90 * DAY_MS - 1, /more than 90 days back/],
  ['a moment before the first list', () => START_MS - HOUR_MS, /no list was loaded at that time/],
])('%s is refused with a sentence that says why', async (_name, atMs, message) => {
  day(80);
  await expect(checkAsOf(deps, ASKED[0] as Indicator, atMs())).rejects.toMatchObject({ status: 400 });
  await expect(checkAsOf(deps, ASKED[0] as Indicator, atMs())).rejects.toThrow(message);
});
