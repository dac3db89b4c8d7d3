import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { DAY_MS, indicatorOf, type ListedCorpus, openListedCorpus } from '#test/listed-corpus.ts';
import { finishBulkLoad, inLoad } from './bulk-load.ts';
import type { ListedRow } from './copy-rows.ts';
import { FAMILIES, LISTINGS, REFERENCES } from './dataset.ts';
import { mergeSnapshot } from './merge-snapshot.ts';

const START_MS = Date.UTC(2026, 8, 1);
let listed: ListedCorpus;

beforeAll(async () => {
  listed = await openListedCorpus(START_MS);
});
afterAll(() => listed.close());

const row = (text: string, given: Omit<ListedRow, 'indicator'> = {}): ListedRow => ({
  indicator: indicatorOf(text),
  ...given,
});
const namesOf = (text: string) =>
  listed.corpus
    .lookup(indicatorOf(text))
    .listings.map(({ source, family, reference, dating }) => [source.id, family, reference, dating]);
const REPORT = 'https://report.example.com/1';

/** The first load needs an empty corpus, so it comes first. */
test('a first load numbers the names of its rows', async () => {
  const deps = { system: listed.system, clock: listed.clock };
  await inLoad(deps, 'loaded', {}, async (load) => {
    await load.copy([
      [
        row('41.1.1.1', { family: 'win.remcos', reference: REPORT }),
        row('41.1.1.1', { family: 'win.remcos', sightedMs: Date.UTC(2026, 3, 1) }),
        row('41.1.1.2', { reference: 'see the blog' }),
        row('41.1.1.3', { family: 'win.remcos', lastSeenMs: Date.UTC(2026, 5, 1) }),
      ],
    ]);
    const counts = { accepted: 4, rejected: 0, entries: 3, details: null };
    await load.keep({ contentSha256: 'a', dataAtMs: START_MS, ...counts }, { allowEmpty: false });
  });
  await finishBulkLoad(deps, ['loaded'], () => Promise.resolve());
  await listed.built.sync();
  expect(['41.1.1.1', '41.1.1.2', '41.1.1.3'].flatMap(namesOf)).toEqual([
    ['loaded', 'win.remcos', REPORT, 'sighted'],
    ['loaded', undefined, undefined, 'undated'],
    ['loaded', 'win.remcos', undefined, 'own'],
  ]);
  expect(await listed.differences(FAMILIES)).toEqual([]);
});

test('a name that a later merge brings reaches a running replica through the change log', async () => {
  await listed.list('names', ['42.1.1.1']);
  const { generation } = listed.built.replica.view();
  expect(namesOf('42.1.1.1')).toEqual([['names', undefined, undefined, 'undated']]);
  listed.pass(DAY_MS);
  const first = row('42.1.1.1', { family: 'Remcos RAT', reference: 'https://new.example.com/ä' });
  await listed.list('names', [first, row('42.1.1.2', { family: 'Remcos RAT', reference: REPORT })]);
  expect(listed.built.replica.view().generation).toBe(generation);
  expect([...namesOf('42.1.1.1'), ...namesOf('42.1.1.2')]).toEqual([
    ['names', 'Remcos RAT', undefined, 'undated'],
    ['names', 'Remcos RAT', REPORT, 'sighted'],
  ]);
  for (const collection of [LISTINGS, FAMILIES, REFERENCES])
    expect(await listed.differences(collection)).toEqual([]);
});

test('only web addresses of printable characters become references of an answer; the record keeps all', async () => {
  const given = [
    'http://a.example.com/r',
    'ftp://a.example.com/r',
    'javascript:alert(1)',
    'https://a b.example.com/',
    `https://long.example.com/${'x'.repeat(1_000)}`,
    'BANNER_0_HASH-HOST=1',
  ];
  await listed.list(
    'links',
    given.map((reference, at) => row(`43.1.1.${at}`, { reference })),
  );
  expect(given.map((_, at) => namesOf(`43.1.1.${at}`)[0]?.[2])).toEqual([
    'http://a.example.com/r',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const { rows } = await sql`
    select 1 from listing l join source s on s.number = l.source_number
     where s.id = 'links' and reference is not null`.execute(listed.system.db);
  expect(rows).toHaveLength(6);
});

test('a name has one number however many sources use it, and unchanged lists draw none', async () => {
  const rows = [row('44.1.1.1', { family: 'one-name', reference: 'https://one.example.com/' })];
  await listed.list('one', rows);
  await listed.list('two', rows);
  await listed.list('two', rows);
  await listed.list('three', [row('44.1.1.2', { family: 'next-name' })]);
  const numbers = await sql<{ number: number }>`
    select number from malware_family where name in ('one-name', 'next-name') order by number`.execute(
    listed.system.db,
  );
  const [one, next] = numbers.rows.map(({ number }) => number);
  expect(next).toBe((one ?? 0) + 1);
});

test('two merges that bring the same new names in opposite order both succeed', async () => {
  const rows = Array.from({ length: 3_000 }, (_, at) =>
    row(`45.1.${at >> 8}.${at & 255}`, {
      family: `family-${at % 500}`,
      reference: `https://report.example.com/${at}`,
    }),
  );
  const { system, clock } = listed;
  const merge = (id: string, ordered: readonly ListedRow[]) =>
    mergeSnapshot({ system, clock }, id, [ordered], { dataAtMs: START_MS, settings: {} });
  await Promise.all([merge('left', rows), merge('right', rows.toReversed())]);
  await listed.built.sync();
  expect(namesOf('45.1.2.7').map((names) => names.slice(1, 3))).toEqual([
    ['family-19', 'https://report.example.com/519'],
    ['family-19', 'https://report.example.com/519'],
  ]);
});

test('an entry that left keeps its dating and shows no names', async () => {
  listed.pass(DAY_MS);
  await listed.list('names', [row('42.1.1.1', { family: 'Remcos RAT' })]);
  expect(namesOf('42.1.1.2')).toEqual([['names', undefined, undefined, 'sighted']]);
});

test('ranges and addresses of an IPv6 site carry names to what they cover, sites do not', async () => {
  await listed.list('nets', [
    row('46.1.1.0/24', { family: 'netname', reference: REPORT }),
    row('46.1.0.0/16', { family: 'wide' }),
    row('2a0b:46::1', { family: 'sixname', reference: REPORT }),
    row('2a0b:46::/48', { family: 'sixrange' }),
  ]);
  expect(namesOf('46.1.1.7').map((names) => names.slice(1, 3))).toEqual([
    ['netname', REPORT],
    ['wide', undefined],
  ]);
  const near = listed.corpus.lookup(indicatorOf('2a0b:46::2')).listings;
  expect(near.map(({ matchType, family }) => [matchType, family])).toEqual([
    ['site', undefined],
    ['cidr', 'sixrange'],
  ]);
});

test('names are answered while PostgreSQL is away', async () => {
  await listed.system.close();
  expect(namesOf('41.1.1.1')).toEqual([['loaded', 'win.remcos', REPORT, 'sighted']]);
});
