import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ListedRow, registerSource } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import { NO_SIGNAL_BOOK } from '#capabilities/signals/index.ts';
import { sql } from '#platform/postgres.ts';
import { bySize } from '#test/lane.ts';
import { DAY_MS, indicatorOf, type ListedCorpus, openListedCorpus } from '#test/listed-corpus.ts';
import type { StandingDeps } from './follow-standings.ts';
import { keepStandings, walkStandings } from './keep-standings.ts';
import { listVersions, readStatus } from './store.ts';
import { verifyStandings } from './verify-standings.ts';

const START_MS = Date.UTC(2026, 8, 1);
const HOUR_MS = 3_600_000;
const TRUE = { wrong: 0, missing: 0, extra: 0, examples: [] };
let listed: ListedCorpus;
let deps: StandingDeps;
let runs = 0;

async function openCorpusAt(): Promise<void> {
  listed = await openListedCorpus(START_MS);
  deps = {
    corpus: listed.corpus,
    enrichment: { book: () => EMPTY_BOOK },
    signals: { book: () => NO_SIGNAL_BOOK },
    clock: listed.clock,
    refresh: () => listed.built.replica.refresh(),
  };
}

const options = () => {
  runs += 1;
  return { run: `run-${runs}`, transaction: listed.system.transaction };
};
const keep = () => keepStandings(deps, { ...options(), rowsPerBatch: 7 });
const verify = () => verifyStandings(deps, listed.system.db);

async function standingOf(value: string) {
  const { rows } = await sql<{
    level: string;
    score: number;
    lists: number;
    shared: number;
    withheld: number;
  }>`
    select c.level, c.score, c.lists, c.shared_lists as shared, c.withheld
      from standing s join standing_class c on c.id = s.class_id
      join indicator i using (key) where i.value = ${value}`.execute(listed.system.db);
  return rows[0];
}

const C2 = { category: 'c2', reliability: 0.95, letter: 'A', fpRisk: 'low', redistributable: true } as const;

describe('what changes a standing', () => {
  beforeAll(openCorpusAt);
  afterAll(() => listed.close());
  beforeEach(() => listed.pass(HOUR_MS));

  test('the first run classes every accused address, range, name and digest, and no others', async () => {
    await listed.list(
      'c2',
      ['45.83.64.1', '45.83.65.0/24', 'bad.example.com', 'd41d8cd98f00b204e9800998ecf8427e'],
      C2,
    );
    await listed.list('pages', ['http://page.example.com/x'], C2);
    await listed.list('ads', ['tracker.example.com'], { adOnly: true });
    await listed.list('good', ['good.example.org'], { threatClass: 'allowlist' });
    // Listed before it became a public suffix: exported, it would block every name below it.
    await listed.list('old', ['gov.uk'], C2);
    const { followed, judged } = await keep();
    expect(followed).toMatchObject({ isOurs: true, walks: 1, put: 4, removed: 0 });
    expect(judged).toMatchObject({ wasDue: true, skipped: 0 });
    expect(await verify()).toEqual({ compared: 4, ...TRUE });
  });

  test('a refetch of an unchanged list moves nobody to another class', async () => {
    listed.pass(2 * DAY_MS);
    await listed.list(
      'c2',
      ['45.83.64.1', '45.83.65.0/24', 'bad.example.com', 'd41d8cd98f00b204e9800998ecf8427e'],
      C2,
    );
    const { followed } = await keep();
    expect(followed).toMatchObject({ walks: 0, put: 0, removed: 0 });
    expect(await verify()).toMatchObject(TRUE);
  });

  test('an hour later a level that faded is another one, without a change in the log', async () => {
    const before = await standingOf('45.83.64.1');
    listed.pass(120 * DAY_MS);
    const { followed, judged } = await keep();
    expect(followed).toMatchObject({ put: 0, removed: 0 });
    expect(judged?.changed).toBeGreaterThan(0);
    expect((await standingOf('45.83.64.1'))?.score).toBeLessThan(before?.score ?? 0);
    expect(await verify()).toMatchObject(TRUE);
  });

  test.each([
    ['a range around it', '45.83.64.0/20'],
    ['its registrable domain', 'example.com'],
    ['a page on it', 'http://bad.example.com/login'],
    ['an address of its /64', '2a00:1450::2'],
  ])('%s is listed, and its standing follows', async (_, value) => {
    await listed.list('c2', ['45.83.64.1', 'bad.example.com', '2a00:1450::1'], C2);
    await keep();
    await listed.list('around', [value], { ...C2, lineage: 'around' });
    expect((await keep()).followed.walks).toBe(0);
    expect(await verify()).toMatchObject(TRUE);
  });

  test('a source that is switched off means a walk, and its values leave', async () => {
    await listed.list('other', ['45.83.70.1'], { ...C2, lineage: 'other' });
    await keep();
    await registerSource({ system: listed.system, clock: listed.clock }, 'other', { enabled: false });
    await listed.built.sync();
    expect((await keep()).followed.walks).toBe(1);
    expect(await standingOf('45.83.70.1')).toBeUndefined();
    expect(await verify()).toMatchObject(TRUE);
  });

  test('another reliability changes judgements and no class', async () => {
    await registerSource({ system: listed.system, clock: listed.clock }, 'c2', { reliability: 0.2 });
    await listed.built.sync();
    const { followed, judged } = await keep();
    expect(followed).toMatchObject({ walks: 0, put: 0 });
    expect(judged?.changed).toBeGreaterThan(0);
    expect(await verify()).toMatchObject(TRUE);
  });

  test('a walk over what was followed corrects nothing, and finds a row that somebody removed', async () => {
    expect(await walkStandings(deps, options())).toMatchObject({ followed: { walks: 1, corrected: 0 } });
    await sql`delete from standing where key = (select key from standing order by key limit 1)`.execute(
      listed.system.db,
    );
    expect(await verify()).toMatchObject({ missing: 1 });
    expect(await walkStandings(deps, options())).toMatchObject({ followed: { corrected: 1 } });
    expect(await readStatus(listed.system.db)).toMatchObject({ walkedCorrections: 1 });
    expect(await verify()).toMatchObject(TRUE);
  });
});

describe('which lists hold it', () => {
  beforeAll(openCorpusAt);
  afterAll(() => listed.close());

  test('a list that may not be passed on counts for the operator alone', async () => {
    await listed.list('closed', ['45.83.64.9'], { ...C2, redistributable: false });
    await listed.list('open', ['45.83.64.8'], { ...C2, lineage: 'open' });
    await keep();
    expect(await standingOf('45.83.64.9')).toMatchObject({ shared: 0 });
    expect((await standingOf('45.83.64.9'))?.lists).toBeGreaterThan(0);
    expect((await standingOf('45.83.64.8'))?.shared).toBeGreaterThan(0);
  });

  test('what a guard brings below 35 points is withheld and not exported', async () => {
    await listed.list('plain', ['45.83.64.7'], { ...C2, letter: 'C', reliability: 0.8, lineage: 'plain' });
    await keep();
    expect((await standingOf('45.83.64.7'))?.lists).toBeGreaterThan(0);
    await listed.list('cdn', ['45.83.64.0/24'], {
      threatClass: 'infrastructure',
      guard: 'service',
      category: 'cdn',
    });
    await keep();
    const guarded = await standingOf('45.83.64.7');
    expect(guarded?.lists).toBe(0);
    expect(guarded?.withheld).toBeGreaterThan(0);
    expect(await verify()).toMatchObject(TRUE);
  });

  test('the version of a list moves with its members and stays without a change', async () => {
    const before = await listVersions(listed.system.db);
    await keep();
    expect(await listVersions(listed.system.db)).toEqual(before);
    await listed.list('open', ['45.83.99.1', '45.83.64.8'], { ...C2, lineage: 'open' });
    await keep();
    const after = await listVersions(listed.system.db);
    expect(after['blocklist-ips-c2.txt']).not.toBe(before['blocklist-ips-c2.txt']);
    expect(after['blocklist-domains-all.txt']).toBe(before['blocklist-domains-all.txt']);
  });
});

const VALUES = [
  '45.83.64.1',
  '45.83.64.2',
  '45.83.65.7',
  '45.83.64.0/24',
  '45.83.64.0/20',
  '45.83.65.0/25',
  '2a00:1450::1',
  '2a00:1450::2',
  '2a00:1450:0:1::1',
  '2a00:1450::/48',
  '2a00:1450::/64',
  'example.com',
  'a.example.com',
  'b.a.example.com',
  'www.example.com',
  'other.example.net',
  'tenant.github.io',
  'x.tenant.github.io',
  'github.io',
  'xn--pypal-4ve.com',
  'http://a.example.com/x',
  'http://45.83.64.1/y',
  'http://other.example.net/',
  'd41d8cd98f00b204e9800998ecf8427e',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
];
const SOURCES = {
  feed: { category: 'c2', reliability: 0.9, redistributable: true },
  phish: { category: 'phishing', reliability: 0.7, letter: 'B', redistributable: true },
  closed: { category: 'malware', reliability: 0.8, redistributable: false },
  archive: { category: 'malware', semantics: 'archive', reliability: 0.8 },
  window: { category: 'bruteforce', semantics: 'window', reliability: 0.5 },
  popular: { threatClass: 'allowlist', guard: 'popularity', rankMax: 1_000 },
  cdn: { threatClass: 'infrastructure', guard: 'service', category: 'cdn' },
  known: { threatClass: 'allowlist', guard: 'known-good' },
} as const;
type Id = keyof typeof SOURCES;
const IDS = Object.keys(SOURCES) as Id[];

type Step =
  | { readonly do: 'list'; readonly id: Id; readonly values: readonly string[]; readonly ageH: number }
  | { readonly do: 'switch'; readonly id: Id; readonly enabled: boolean }
  | { readonly do: 'rate'; readonly id: Id; readonly reliability: number; readonly redistributable: boolean }
  | { readonly do: 'wait'; readonly hours: number };

const id = fc.constantFrom(...IDS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('list' as const),
      id,
      values: fc.subarray(VALUES),
      ageH: fc.nat(900),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('switch' as const), id, enabled: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('rate' as const),
      id,
      reliability: fc.constantFrom(0.1, 0.5, 0.9),
      redistributable: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.nat(200) }) },
);

async function take(given: Step): Promise<void> {
  const { system, clock } = listed;
  if (given.do === 'wait') listed.pass(given.hours * HOUR_MS);
  else if (given.do === 'list') {
    const seenMs = clock.now() - given.ageH * HOUR_MS;
    const rows = given.values.map(
      (value): ListedRow => ({
        indicator: indicatorOf(value),
        ...(given.ageH % 3 === 0 && { firstSeenMs: seenMs }),
      }),
    );
    await listed.list(given.id, rows, SOURCES[given.id]);
  } else if (given.do === 'switch')
    await registerSource({ system, clock }, given.id, { ...SOURCES[given.id], enabled: given.enabled });
  else
    await registerSource({ system, clock }, given.id, {
      ...SOURCES[given.id],
      reliability: given.reliability,
      redistributable: given.redistributable,
    });
  await listed.built.sync();
}

describe('any history of changes', () => {
  beforeAll(openCorpusAt);
  afterAll(() => listed.close());

  test(
    'every standing equals what a check says, however lists, guards, sources and hours change',
    async () => {
      for (const name of IDS) await listed.list(name, [], SOURCES[name]);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
          // The date of a list is judged ten minutes after the last judgement at the earliest.
          listed.pass(HOUR_MS / 4);
          for (const each of steps) await take(each);
          expect((await keep()).followed.isOurs).toBe(true);
          expect(await verify()).toMatchObject(TRUE);
          const { followed } = (await walkStandings(deps, options())) ?? {};
          expect(followed?.corrected).toBe(0);
        }),
        { numRuns: bySize(25, 4_000) },
      );
    },
    bySize(120_000, 3_600_000),
  );
});
