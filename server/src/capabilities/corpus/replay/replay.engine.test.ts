import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Asn, type Hash, type Indicator, parseAsn, parseIndicator } from '#domain/indicator/index.ts';
import { systemClock } from '#platform/clock.ts';
import { asSystem, connectPostgres, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { type BuiltReplica, buildReplica } from '#test/replica.ts';
import { assignClusters } from '../assign-clusters.ts';
import type { SourceSettings } from '../contract.ts';
import type { ListedRow } from '../copy-rows.ts';
import { corpusDataset } from '../dataset.ts';
import { type Corpus, type CorpusAnswer, openCorpus } from '../lookup.ts';
import { mergeSnapshot } from '../merge-snapshot.ts';
import { registerSource } from '../register-source.ts';
import { replayCorpus } from './replay.ts';

let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let built: BuiltReplica;
let corpus: Corpus;
const clock = systemClock();
const DATA_AT_MS = Date.UTC(2026, 7, 20);
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 };
  system = asSystem(config);
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  built = await buildReplica(system, corpusDataset);
  corpus = openCorpus(built.replica);
});
afterAll(async () => {
  await built?.close();
  await Promise.all([postgres?.close(), system?.close()]);
  await database?.drop();
});

const parsed = (text: string): Indicator | Asn => {
  const result = /^AS\d+$/.test(text) ? parseAsn(text) : parseIndicator(text);
  if (!result.ok) throw new Error(result.reason);
  return result.indicator;
};
const hash = (text: string): Hash => parsed(text) as Hash;

async function list(id: string, values: readonly (string | ListedRow)[], settings: SourceSettings = {}) {
  const rows = values.map((value) => (typeof value === 'string' ? { indicator: parsed(value) } : value));
  await mergeSnapshot({ system, clock }, id, [rows], { dataAtMs: DATA_AT_MS, settings, allowEmpty: true });
}
const dated = (text: string, lastSeenMs: number): ListedRow => ({
  indicator: parsed(text),
  firstSeenMs: lastSeenMs - 24 * HOUR_MS,
  lastSeenMs,
  confidence: 70,
  family: `family of ${text}`,
  reference: 'https://report.example.com/1',
});

type Stored = { readonly asked: string; readonly atMs: number; readonly answer: CorpusAnswer };
let stored: Stored[] = [];
beforeEach(() => {
  stored = [];
});

/** Lets the replica catch up and keeps its current answers. The pauses put the moment between two changes. */
async function keepAnswers(...asked: string[]): Promise<readonly CorpusAnswer[]> {
  await built.sync();
  await sleep(3);
  const atMs = clock.now();
  const answers = asked.map((text) => corpus.lookup(parsed(text)));
  for (const [index, answer] of answers.entries())
    stored.push({ asked: asked[index] as string, atMs, answer });
  await sleep(3);
  return answers;
}

/** `version` counts merges, does not affect the verdict, and is not kept over time. */
const comparable = ({ listings, seq, registry }: CorpusAnswer) => ({
  seq,
  listings: listings.map(({ source, ...listing }) => ({ ...listing, source: { ...source, version: 0 } })),
  version: registry.version,
  sources: registry.sources.map((source) => ({ ...source, version: 0 })),
});

async function expectReplayed(): Promise<void> {
  for (const { asked, atMs, answer } of stored) {
    const replayed = await replayCorpus({ postgres }, [parsed(asked)], atMs);
    expect({ asked, ...comparable(replayed?.lookup(parsed(asked)) as CorpusAnswer) }).toEqual({
      asked,
      ...comparable(answer),
    });
  }
}
const matchesOf = ({ listings }: CorpusAnswer) =>
  listings.map(
    ({ source, matchType, isDelisted }) => `${source.id} ${matchType}${isDelisted === true ? ' left' : ''}`,
  );

test('before the first list there is no answer', async () => {
  expect(await replayCorpus({ postgres }, [parsed('11.1.1.1')], clock.now())).toBeNull();
});

test('listed, delisted, relisted and changed entries answer as they did then', async () => {
  const asked = [
    '11.1.1.1',
    '11.1.1.2',
    '11.1.1.9',
    '11.1.1.0/25',
    'http://11.1.1.1/a',
    'who@sub.example.com',
  ];
  await list('ips', ['11.1.1.1', '11.1.1.0/24', 'example.com']);
  await list('dated', [dated('11.1.1.1', DATA_AT_MS), dated('sub.example.com', DATA_AT_MS)]);
  expect(matchesOf((await keepAnswers(...asked))[0] as CorpusAnswer)).toEqual([
    'ips exact',
    'dated exact',
    'ips cidr',
  ]);
  await list('ips', ['11.1.1.2']);
  await list('dated', [dated('11.1.1.1', DATA_AT_MS + HOUR_MS)]);
  const [first] = await keepAnswers(...asked);
  expect(matchesOf(first as CorpusAnswer)).toContain('ips exact left');
  await list('ips', ['11.1.1.1', '11.1.0.0/16']);
  await keepAnswers(...asked);
  await list('ips', []);
  await list('dated', []);
  await keepAnswers(...asked);
  await list('ips', ['11.1.1.1']);
  await keepAnswers(...asked);
  await expectReplayed();
});

test('IPv6: every prefix around an address and the others of its /64', async () => {
  const asked = ['2a0b:f4c2:1:2::1', '2a0b:f4c2:1:2::77', '2a0b:f4c2:1:3::1', '2a0b:f4c2:1:2::/64'];
  await list('v6', ['2a0b:f4c2::/32', '2a0b:f4c2:1:2::/64', '2a0b:f4c2:1:2::1', '2a0b:f4c2:1:2::2']);
  const [, other] = await keepAnswers(...asked);
  expect(matchesOf(other as CorpusAnswer)).toEqual(['v6 site', 'v6 cidr', 'v6 cidr']);
  await list('v6', [dated('2a0b:f4c2:1:2::2', DATA_AT_MS), '2a0b:f4c2:1:2::/127']);
  await keepAnswers(...asked);
  await list('v6', ['2a0b::/16']);
  await keepAnswers(...asked);
  await expectReplayed();
});

test('a rentable cloud takes its ranges out of a delivery network, from the day its list has them', async () => {
  const asked = ['14.32.1.1', '14.33.1.1', '14.32.1.0/24', 'http://14.32.1.1/x'];
  await list('cdn', ['14.32.0.0/12'], { threatClass: 'allowlist', guard: 'service', attributes: ['cdn'] });
  const cloud: SourceSettings = { threatClass: 'infrastructure', attributes: ['cloud'], tags: ['rentable'] };
  await list('cloud', [], cloud);
  expect(matchesOf((await keepAnswers(...asked))[0] as CorpusAnswer)).toEqual(['cdn cidr']);
  await list('cloud', ['14.32.0.0/16'], cloud);
  expect((await keepAnswers(...asked)).map(matchesOf)).toEqual([
    ['cloud cidr'],
    ['cdn cidr'],
    ['cloud cidr'],
    ['cloud cidr'],
  ]);
  await list('cdn', ['14.32.0.0/12', '14.32.1.0/25']);
  expect(matchesOf((await keepAnswers(...asked))[0] as CorpusAnswer)).toEqual(['cdn cidr', 'cloud cidr']);
  await registerSource({ system, clock }, 'cloud', { enabled: false });
  expect(matchesOf((await keepAnswers(...asked))[1] as CorpusAnswer)).toEqual(['cdn cidr']);
  await list('cloud', []);
  await keepAnswers(...asked);
  await expectReplayed();
});

test('any digest of a file answers for the others, and a revoked one leaves at once', async () => {
  const [md5, sha1] = ['aa'.repeat(16), 'bb'.repeat(20)];
  await list('files', [{ indicator: hash(md5), siblings: [hash(sha1)] }]);
  const [, alias] = await keepAnswers(md5, sha1);
  expect(matchesOf(alias as CorpusAnswer)).toEqual(['files alias']);
  await list('files', []);
  const [gone] = await keepAnswers(md5, sha1);
  expect(gone?.listings).toEqual([]);
  await list('others', [sha1]);
  await keepAnswers(md5, sha1);
  await expectReplayed();
});

test('pages of a host and names below a domain, and a name that became a platform', async () => {
  const asked = [
    'shop.example.org',
    'example.org',
    'a.shop.example.org',
    'http://shop.example.org/x',
    '12.1.1.1',
  ];
  await list('pages', ['http://shop.example.org/bad', 'http://12.1.1.1/x.sh', 'deep.shop.example.org']);
  const [host, registrable] = await keepAnswers(...asked);
  expect(matchesOf(host as CorpusAnswer)).toEqual(['pages page']);
  expect(matchesOf(registrable as CorpusAnswer)).toEqual(['pages child']);
  await list('pages', [dated('http://shop.example.org/worse', DATA_AT_MS), 'shop.example.org']);
  await keepAnswers(...asked);
  await list('rented', ['shop.example.org'], { threatClass: 'allowlist', guard: 'platform' });
  const [, , tenant] = await keepAnswers(...asked);
  expect(matchesOf(tenant as CorpusAnswer)).toEqual([]);
  await registerSource({ system, clock }, 'rented', { enabled: false });
  await keepAnswers(...asked);
  await registerSource({ system, clock }, 'pages', { threatClass: 'infrastructure' });
  await keepAnswers(...asked);
  await expectReplayed();
});

test('the registry at that time: reliability, clusters, words, ranks, dates of the data', async () => {
  const asked = ['13.1.1.1', 'popular.example.net', 'AS64500'];
  await list('rated', ['13.1.1.1'], { reliability: 0.4, name: 'First name' });
  await list('top', [{ indicator: parsed('popular.example.net'), rank: 17 }], {
    threatClass: 'allowlist',
    guard: 'popularity',
    rankMax: 1_000,
  });
  await keepAnswers(...asked);
  const { source } = corpus.lookup(parsed('13.1.1.1')).listings[0] ?? {};
  await registerSource({ system, clock }, 'rated', { reliability: 0.85, name: 'Second name', tags: ['x'] });
  await keepAnswers(...asked);
  await system.transaction((tx) =>
    assignClusters(
      tx,
      new Map([[source?.number as number, { cluster: 'abuse-ch', echoes: { ip: 'fox' } }]]),
      clock.now(),
    ),
  );
  await list('nets', [{ indicator: parsed('AS64500') as Asn }]);
  await keepAnswers(...asked);
  await mergeSnapshot({ system, clock }, 'rated', [[{ indicator: parsed('13.1.1.1') }]], {
    dataAtMs: DATA_AT_MS + HOUR_MS + 500,
  });
  await list('top', [{ indicator: parsed('popular.example.net'), rank: 18 }]);
  await keepAnswers(...asked);
  const versions = new Set(stored.map(({ answer }) => answer.registry.version));
  expect(versions.size).toBeGreaterThanOrEqual(3);
  await expectReplayed();
});
