import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Hash, type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { openReplica, type Replica } from '#platform/replica/reader.ts';
import { type OpenReplicator, openReplicator } from '#platform/replica/replicator.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import type { SourceSettings } from './contract.ts';
import type { ListedRow } from './copy-rows.ts';
import { corpusDataset } from './dataset.ts';
import { type Corpus, openCorpus } from './lookup.ts';
import { mergeSnapshot } from './merge-snapshot.ts';
import { registerSource } from './register-source.ts';

let database: TestDatabase;
let system: Postgres;
let replicator: OpenReplicator;
let replica: Replica;
let corpus: Corpus;
const dataDir = mkdtempSync(join(tmpdir(), 'assay-corpus-'));
const clock = systemClock();
const log = createLog('silent');
const DATA_AT_S = Date.UTC(2026, 7, 20) / 1_000;

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  replicator = await openReplicator({ postgres: system, dataset: corpusDataset, dataDir, log, clock });
  replica = await openReplica({ dataDir, dataset: corpusDataset, log, clock });
  corpus = openCorpus(replica);
});
afterAll(async () => {
  await replica?.close();
  await replicator?.close();
  await system.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

function indicator(text: string): Indicator {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
}

async function list(id: string, values: readonly (string | ListedRow)[], settings: SourceSettings = {}) {
  const rows = values.map((value) => (typeof value === 'string' ? { indicator: indicator(value) } : value));
  await mergeSnapshot({ system, clock }, id, [rows], {
    dataAtMs: DATA_AT_S * 1_000,
    settings,
    allowEmpty: true,
  });
  await follow();
}
async function follow() {
  await replicator.sync();
  replica.refresh();
}
const found = (text: string) =>
  corpus
    .lookup(indicator(text))
    .listings.map(
      ({ source, matchType, matched, isDelisted }) =>
        `${source.id} ${isDelisted === true ? 'delisted ' : ''}${matchType} ${matched}`,
    );

test('an address is found by itself and by every range around it, innermost first', async () => {
  await list('ips', ['11.22.33.44', '11.22.33.0/24', '11.22.0.0/16', '11.22.34.0/24']);
  await list('wide', ['11.0.0.0/8', '11.22.33.44']);
  expect(found('11.22.33.44')).toEqual([
    'ips exact 11.22.33.44',
    'wide exact 11.22.33.44',
    'ips cidr 11.22.33.0/24',
    'ips cidr 11.22.0.0/16',
    'wide cidr 11.0.0.0/8',
  ]);
  expect(found('11.22.35.1')).toEqual(['ips cidr 11.22.0.0/16', 'wide cidr 11.0.0.0/8']);
  expect(found('12.0.0.0')).toEqual([]);
  const [, , range] = corpus.lookup(indicator('11.22.33.44')).listings;
  expect(range).toMatchObject({
    prefixBits: 24,
    lastSeenS: DATA_AT_S,
    firstSeenS: DATA_AT_S,
    confidence: -1,
  });
});

test('IPv6 ranges of any length cover', async () => {
  await list('v6', ['2a0b:f4c2::/32', '2a0b:f4c2:1:2::/64', '2a0b:f4c2:1:2::/127', '2a0b:f4c2:1:2::1']);
  expect(found('2a0b:f4c2:1:2::1')).toEqual([
    'v6 exact 2a0b:f4c2:1:2::1',
    'v6 cidr 2a0b:f4c2:1:2::/127',
    'v6 cidr 2a0b:f4c2:1:2::/64',
    'v6 cidr 2a0b:f4c2::/32',
  ]);
  expect(found('2a0b:f4c2:1:3::1')).toEqual(['v6 cidr 2a0b:f4c2::/32']);
  expect(found('2a0b:f4c3::1')).toEqual([]);
});

test('a range is found by itself and by wider ones only', () => {
  expect(found('11.22.33.0/24')).toEqual([
    'ips exact 11.22.33.0/24',
    'ips cidr 11.22.0.0/16',
    'wide cidr 11.0.0.0/8',
  ]);
});

test('a domain is found by itself and by its parents down to the registrable domain, never above', async () => {
  await list('names', ['example.co.uk', 'b.example.co.uk', 'a.b.example.co.uk']);
  expect(found('x.a.b.example.co.uk')).toEqual([
    'names parent a.b.example.co.uk',
    'names parent b.example.co.uk',
    'names parent example.co.uk',
  ]);
  expect(found('example.co.uk')).toEqual(['names exact example.co.uk', 'names child example.co.uk']);
  expect(found('other.co.uk')).toEqual([]);
  expect(found('notexample.co.uk')).toEqual([]);
});

test('a parent that is a public suffix never matches, of either section of the list', async () => {
  await list('suffixes', [
    'github.io',
    'evil.github.io',
    { indicator: { kind: 'domain', value: 'co.uk', registrable: null } },
  ]);
  expect(found('good.github.io')).toEqual([]);
  expect(found('sub.evil.github.io')).toEqual(['suffixes parent evil.github.io']);
  expect(found('github.io')).toEqual(['suffixes exact github.io']);
  expect(found('anything.co.uk')).toEqual([]);
});

test('a URL is found by its text, by its host and by what its host belongs to', async () => {
  await list('urls', ['http://x.a.b.example.co.uk/bad', 'http://11.22.33.44/bins.sh']);
  expect(found('hxxp://x.a.b.example.co.uk/bad')).toEqual([
    'urls exact http://x.a.b.example.co.uk/bad',
    'names parent a.b.example.co.uk',
    'names parent b.example.co.uk',
    'names parent example.co.uk',
  ]);
  expect(found('http://11.22.33.44/bins.sh')).toHaveLength(6);
  expect(found('http://11.22.33.44/BINS.sh')).toHaveLength(5);
  expect(found('http://example.co.uk/x')).toEqual(['names exact example.co.uk']);
});

test('a hash is found by itself, an e-mail address by itself and by its domain as a parent', async () => {
  await list('misc', ['44d88612fea8a8f36de82e1278abb02f', 'who@b.example.co.uk']);
  expect(found('44D88612FEA8A8F36DE82E1278ABB02F')).toEqual(['misc exact 44d88612fea8a8f36de82e1278abb02f']);
  expect(found('44d88612fea8a8f36de82e1278abb02e')).toEqual([]);
  expect(found('who@b.example.co.uk')).toEqual([
    'misc exact who@b.example.co.uk',
    'names parent b.example.co.uk',
    'names parent example.co.uk',
  ]);
});

const hash = (text: string): Hash => {
  const found = indicator(text);
  if (found.kind !== 'hash') throw new Error('not a digest');
  return found;
};

test('any digest of a file answers for the others, in both directions, and its own listing comes first', async () => {
  const [md5, sha1, sha256] = ['aa'.repeat(16), 'bb'.repeat(20), 'cc'.repeat(32)];
  await list('files', [{ indicator: hash(md5), siblings: [hash(sha1), hash(sha256)] }]);
  expect(found(md5)).toEqual([`files exact ${md5}`]);
  expect(found(sha1)).toEqual([`files alias ${md5}`]);
  expect(found(sha256)).toEqual([`files alias ${md5}`]);
  await list('others', [sha256]);
  expect(found(sha1)).toEqual([`files alias ${md5}`, `others alias ${sha256}`]);
  expect(found(sha256)).toEqual([`others exact ${sha256}`, `files alias ${md5}`]);
  await list('files', []);
  expect(found(sha1)).toEqual([`others alias ${sha256}`]);
  expect(found('dd'.repeat(20))).toEqual([]);
});

test('a platform passes nothing on to its tenants, neither its own listings nor those above it', async () => {
  await list('rented', ['sites.example.org'], { threatClass: 'allowlist', guard: 'platform' });
  await list('blocked', ['sites.example.org', 'example.org']);
  expect(found('tenant.sites.example.org')).toEqual([]);
  expect(found('http://tenant.sites.example.org/x')).toEqual([]);
  expect(found('www.example.org')).toEqual(['blocked parent example.org']);
  expect(found('www.sites.example.org')).toEqual([
    'rented parent sites.example.org',
    'blocked parent sites.example.org',
    'blocked parent example.org',
  ]);
  expect(found('sites.example.org')).toEqual([
    'rented exact sites.example.org',
    'blocked exact sites.example.org',
    'blocked parent example.org',
  ]);
  await registerSource({ system, clock }, 'rented', { enabled: false });
  await follow();
  expect(found('tenant.sites.example.org')).toEqual([
    'blocked parent sites.example.org',
    'blocked parent example.org',
  ]);
});

test('nothing above a public suffix of the private section is inherited below it', async () => {
  await list('above', ['amazonaws.com']);
  expect(found('bucket.s3.amazonaws.com')).toEqual([]);
  expect(found('amazonaws.com')).toEqual(['above exact amazonaws.com']);
});

test('a platform that the suffix list lacks passes nothing on to its tenants, and www. is the platform itself', async () => {
  await list('builder', ['weebly.com']);
  expect(found('shop.weebly.com')).toEqual([]);
  expect(found('www.weebly.com')).toEqual(['builder parent weebly.com']);
});

test('a popularity list gives ranks, and the date is then the source’s', async () => {
  await list(
    'top',
    [{ indicator: indicator('popular.example.com'), rank: 17 }, { indicator: indicator('also.example.com') }],
    { threatClass: 'allowlist', guard: 'popularity', rankMax: 1_000 },
  );
  const [listing] = corpus.lookup(indicator('popular.example.com')).listings;
  expect(listing).toMatchObject({ rank: 17, lastSeenS: DATA_AT_S });
  const [unranked] = corpus.lookup(indicator('also.example.com')).listings;
  expect(unranked).toMatchObject({ lastSeenS: DATA_AT_S });
  expect(unranked).not.toHaveProperty('rank');
});

test('the dates and the confidence a source gives are the listing’s; without them its data’s date counts', async () => {
  const firstSeenMs = Date.UTC(2026, 0, 1);
  const lastSeenMs = Date.UTC(2026, 1, 1);
  await list('dated', [
    { indicator: indicator('21.1.1.1'), firstSeenMs, lastSeenMs, confidence: 0 },
    { indicator: indicator('21.1.1.2'), firstSeenMs: Date.UTC(2100, 0, 1), confidence: 100 },
  ]);
  expect(corpus.lookup(indicator('21.1.1.1')).listings[0]).toMatchObject({
    firstSeenS: firstSeenMs / 1_000,
    lastSeenS: lastSeenMs / 1_000,
    confidence: 0,
  });
  expect(corpus.lookup(indicator('21.1.1.2')).listings[0]).toMatchObject({
    firstSeenS: Date.UTC(2100, 0, 1) / 1_000,
    lastSeenS: DATA_AT_S,
    confidence: 100,
  });
});

test('every listing carries a class and a risk, also of a source that was given none', async () => {
  const { source } = corpus.lookup(indicator('21.1.1.1')).listings[0] ?? {};
  expect(source).toMatchObject({ threatClass: 'threat', fpRisk: 'medium', signal: 'feed', adOnly: false });
});

test('a dropped entry is delisted, a disabled source is gone, and changed registry words show at once', async () => {
  await list('ips', ['11.22.33.44']);
  expect(found('11.22.33.44')).toEqual([
    'ips exact 11.22.33.44',
    'wide exact 11.22.33.44',
    'ips delisted cidr 11.22.33.0/24',
    'ips delisted cidr 11.22.0.0/16',
    'wide cidr 11.0.0.0/8',
    'urls page 11.22.33.44',
  ]);
  await registerSource({ system, clock }, 'wide', { enabled: false });
  await registerSource({ system, clock }, 'ips', { threatClass: 'infrastructure', attributes: ['tor-exit'] });
  await follow();
  const { listings, seq } = corpus.lookup(indicator('11.22.33.44'));
  expect(listings.map(({ source }) => [source.id, source.threatClass, source.attributes])).toEqual([
    ['ips', 'infrastructure', ['tor-exit']],
    ['urls', 'threat', []],
  ]);
  expect(seq).toBe(corpus.seq());
});
