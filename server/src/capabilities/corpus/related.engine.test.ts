import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { DAY_MS, indicatorOf, type ListedCorpus, openListedCorpus } from '#test/listed-corpus.ts';
import { RELATED } from './dataset.ts';
import { registerSource } from './register-source.ts';

const START_MS = Date.UTC(2026, 8, 1);
let listed: ListedCorpus;

beforeAll(async () => {
  listed = await openListedCorpus(START_MS);
});
afterAll(() => listed.close());

test('a listed page is a factor of its host: a name, an IPv4 or an IPv6 address', async () => {
  await listed.list('pages', [
    'http://shop.example.com/x',
    'http://31.1.1.1:8080/bins.sh',
    'http://[2a0b:f4c2::1]/x',
  ]);
  expect(listed.found('shop.example.com')).toEqual(['pages page shop.example.com']);
  expect(listed.found('31.1.1.1')).toEqual(['pages page 31.1.1.1']);
  expect(listed.found('2a0b:f4c2::1')).toEqual(['pages page 2a0b:f4c2::1']);
  expect(listed.found('example.com')).toEqual([]);
  expect(listed.found('a.shop.example.com')).toEqual([]);
});

test('a page is no factor of another page; a URL that names only its host asks about the host', () => {
  expect(listed.found('http://shop.example.com/y')).toEqual([]);
  expect(listed.found('http://shop.example.com/')).toEqual(['pages page shop.example.com']);
  expect(listed.found('http://shop.example.com/?q')).toEqual([]);
});

test('a name below is a factor of the registrable domain, and of no name between', async () => {
  await listed.list('names', ['a.b.example.net', 'c.example.net']);
  expect(listed.found('example.net')).toEqual(['names child example.net']);
  expect(listed.found('b.example.net')).toEqual([]);
  expect(listed.found('http://example.net/x')).toEqual([]);
});

test('tenants of a platform are no factor of the platform or of names above it', async () => {
  await listed.list('tenants', ['evil.github.io', 'bucket.s3.amazonaws.com']);
  expect(listed.found('github.io')).toEqual([]);
  expect(listed.found('amazonaws.com')).toEqual([]);
});

test('several entries of one source are one factor: earliest first, latest last sighting', async () => {
  const at = (day: number) => Date.UTC(2026, 0, day);
  const entry = (text: string, first: number, last: number, confidence: number) => ({
    indicator: indicatorOf(text),
    firstSeenMs: at(first),
    lastSeenMs: at(last),
    confidence,
  });
  await listed.list('dated', [
    entry('http://host.example.org/1', 3, 9, 10),
    entry('http://host.example.org/2', 5, 12, 20),
    entry('http://host.example.org/3', 4, 7, 15),
  ]);
  const { listings } = listed.corpus.lookup(indicatorOf('host.example.org'));
  expect(listings).toHaveLength(1);
  expect(listings[0]).toMatchObject({
    matchType: 'page',
    firstSeenS: at(3) / 1_000,
    lastSeenS: at(12) / 1_000,
    confidence: 20,
  });
});

test('an entry without a date of its own is as fresh as the data of its source', async () => {
  await listed.list('mixed', [
    { indicator: indicatorOf('http://half.example.org/1'), lastSeenMs: Date.UTC(2026, 0, 1) },
    'http://half.example.org/2',
  ]);
  const { listings } = listed.corpus.lookup(indicatorOf('half.example.org'));
  expect(listings[0]?.lastSeenS).toBe(listed.clock.now() / 1_000);
});

test('only accusations count, and they count from the moment the source accuses', async () => {
  await listed.list('described', ['http://turn.example.com/x'], { threatClass: 'infrastructure' });
  await listed.list('ads', ['http://turn.example.com/y'], { adOnly: true });
  expect(listed.found('turn.example.com')).toEqual([]);
  await registerSource(listed, 'described', { threatClass: 'threat' });
  await listed.built.sync();
  expect(listed.found('turn.example.com')).toEqual(['described page turn.example.com']);
  // The setting also takes effect by a merge without any new entry.
  await listed.list('ads', ['http://turn.example.com/y'], { adOnly: false });
  expect(listed.found('turn.example.com')).toEqual([
    'described page turn.example.com',
    'ads page turn.example.com',
  ]);
  await registerSource(listed, 'described', { threatClass: 'policy' });
  await listed.built.sync();
  expect(listed.found('turn.example.com')).toEqual(['ads page turn.example.com']);
  expect(await listed.differences(RELATED)).toEqual([]);
});

test('a delisted page is no factor of its host any more, though it fades itself', async () => {
  listed.pass(DAY_MS);
  await listed.list('pages', ['http://31.1.1.1:8080/bins.sh']);
  expect(listed.found('shop.example.com')).toEqual([]);
  expect(listed.found('http://shop.example.com/x')).toEqual([
    'pages delisted exact http://shop.example.com/x',
  ]);
  expect(listed.found('31.1.1.1')).toEqual(['pages page 31.1.1.1']);
});

test('a host that is listed itself has its listing and the factor', async () => {
  await listed.list('hosts', ['31.1.1.1']);
  expect(listed.found('31.1.1.1')).toEqual(['hosts exact 31.1.1.1', 'pages page 31.1.1.1']);
});

test('however many sources list pages of a host, 64 factors are kept', async () => {
  for (let at = 0; at < 70; at += 1)
    await registerSource(listed, `crowd-${at}`, { category: 'malware', enabled: true });
  await sql`
    insert into listing (key, source_number, listed_from, first_seen)
    select i.key, s.number, now(), now() from indicator i, source s
     where i.value = 'http://half.example.org/2' and s.id like 'crowd-%'`.execute(listed.system.db);
  const { rows } = await sql<{ bytes: number }>`
    select length(value)::int as bytes from corpus_related_entry
     where key = ${Buffer.from('\x05half.example.org', 'latin1')}`.execute(listed.system.db);
  expect(rows[0]?.bytes).toBe(64 * 13);
  await sql`delete from listing using source s where source_number = s.number and s.id like 'crowd-%'`.execute(
    listed.system.db,
  );
});

test('in the end the replica equals the record', async () => {
  expect(await listed.differences(RELATED)).toEqual([]);
});
