import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import type { ListedRow } from './copy-rows.ts';
import { keyOf } from './indicator-key.ts';
import { mergeSnapshot } from './merge-snapshot.ts';
import { registerSource } from './register-source.ts';
import { findSource } from './store.ts';

let database: TestDatabase;
let system: Postgres;
let nowMs = Date.UTC(2026, 8, 1);
const clock = { now: () => nowMs, monotonic: () => nowMs };
const DATA_AT_MS = Date.UTC(2026, 7, 20);
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
});
afterAll(async () => {
  await system.close();
  await database.drop();
});

function indicator(text: string): Indicator {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
}
const row = (text: string, more: Omit<ListedRow, 'indicator'> = {}): ListedRow => ({
  indicator: indicator(text),
  ...more,
});
const merge = (id: string, rows: readonly ListedRow[], options = {}) =>
  mergeSnapshot({ system, clock }, id, [rows], { dataAtMs: DATA_AT_MS, settings: {}, ...options });

type Stored = {
  value: string;
  firstSeen: Date;
  lastSeen: Date | null;
  confidence: number | null;
  reference: string | null;
  datedBy: number;
};

async function listedAt(id: string, atMs: number): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select i.value, p.first_seen as "firstSeen", p.last_seen as "lastSeen", p.confidence, p.reference,
           p.dated_by as "datedBy"
      from listing_period p join indicator i using (key) join source s on s.number = p.source_number
     where s.id = ${id} and p.listed_from <= ${new Date(atMs)}
       and (p.listed_to is null or p.listed_to > ${new Date(atMs)})
     order by i.value`.execute(system.db);
  return rows;
}
const valuesNow = async (id: string): Promise<string[]> =>
  (await listedAt(id, nowMs + HOUR_MS)).map(({ value }) => value);

const UNIVERSE = [
  '1.2.3.4',
  '5.6.7.0/24',
  '2606:4700::1',
  'evil.example.com',
  'b.example.net',
  'http://x.example.org/a',
];
const DATES = [Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 1)];
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const listedRow = fc
  .record({
    text: fc.constantFrom(...UNIVERSE),
    firstSeenMs: optional(fc.constantFrom(...DATES)),
    lastSeenMs: optional(fc.constantFrom(...DATES)),
    sightedMs: optional(fc.constantFrom(...DATES)),
    confidence: optional(fc.constantFrom(0, 50, 100)),
    reference: optional(fc.constantFrom('https://a.example.com/1', 'https://a.example.com/2')),
  })
  .map(({ text, ...given }) =>
    row(text, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))),
  );

/** The expected content of the table after a snapshot, computed without SQL. */
function recompute(
  before: ReadonlyMap<string, Stored>,
  snapshot: readonly ListedRow[],
  keepAbsent: boolean,
  isKnownSource: boolean,
) {
  const after = new Map<string, Stored>(keepAbsent ? before : []);
  for (const value of new Set(snapshot.map((each) => each.indicator.value))) {
    const same = snapshot.filter((each) => each.indicator.value === value);
    const given = <T>(pick: (each: ListedRow) => T | undefined) =>
      same.map(pick).filter((each) => each !== undefined);
    const lasts = keepAbsent
      ? same.map((each) => each.lastSeenMs ?? DATA_AT_MS)
      : given((each) => each.lastSeenMs);
    const lastMs = lasts.length > 0 ? Math.max(...lasts) : null;
    const confidence = given((each) => each.confidence);
    const { firstMs, datedBy } = datingOf(same, keepAbsent, before.get(value), isKnownSource);
    after.set(value, {
      value,
      firstSeen: new Date(Math.min(firstMs, lastMs ?? firstMs)),
      lastSeen: lastMs === null ? null : new Date(lastMs),
      confidence: confidence.length > 0 ? Math.max(...confidence) : null,
      reference: given((each) => each.reference).sort()[0] ?? null,
      datedBy,
    });
  }
  return after;
}

/** First date and dating: own date, else a sighting in the list's history, else as it was, else the import. */
function datingOf(
  same: readonly ListedRow[],
  keepAbsent: boolean,
  known: Stored | undefined,
  isKnownSource: boolean,
): { firstMs: number; datedBy: number } {
  const capped = (row: ListedRow, ms: number) =>
    Math.min(ms, row.lastSeenMs ?? (keepAbsent ? DATA_AT_MS : ms));
  const isOwn = (row: ListedRow) => row.firstSeenMs !== undefined || row.lastSeenMs !== undefined;
  const own = same.flatMap((row) => (row.firstSeenMs === undefined ? [] : [capped(row, row.firstSeenMs)]));
  const sighted = same.flatMap((row) =>
    isOwn(row) || row.sightedMs === undefined ? [] : [capped(row, row.sightedMs)],
  );
  const keptMs = known?.firstSeen.getTime() ?? DATA_AT_MS;
  if (same.some(isOwn)) return { firstMs: own.length > 0 ? Math.min(...own) : keptMs, datedBy: 0 };
  if (known?.datedBy === 0) return { firstMs: keptMs, datedBy: 0 };
  const sightings = known?.datedBy === 1 ? [keptMs, ...sighted] : sighted;
  if (sightings.length > 0) return { firstMs: Math.min(...sightings), datedBy: 1 };
  return { firstMs: keptMs, datedBy: known?.datedBy ?? (isKnownSource ? 1 : 2) };
}

const sorted = (state: ReadonlyMap<string, Stored>): Stored[] =>
  [...state.values()].sort((a, b) => (a.value < b.value ? -1 : 1));

/** Merges the snapshots in turn and compares table, counts and change log with the model each time. */
async function checkSnapshots(
  id: string,
  snapshots: readonly (readonly ListedRow[])[],
  semantics: 'state' | 'window',
) {
  let before: ReadonlyMap<string, Stored> = new Map();
  let seqBefore = 0;
  let isKnownSource = false;
  const history: { atMs: number; state: ReadonlyMap<string, Stored> }[] = [];
  for (const rows of snapshots) {
    nowMs += HOUR_MS;
    const expected = recompute(before, rows, semantics === 'window', isKnownSource);
    const report = await merge(id, rows, { allowEmpty: true, settings: { semantics } });
    const added = [...expected.keys()].filter((value) => !before.has(value));
    const removed = [...before.keys()].filter((value) => !expected.has(value));
    const distinct = new Set(rows.map((each) => each.indicator.value));
    const kept = [...distinct].filter((value) => before.has(value));
    const changed = kept.filter(
      (value) => JSON.stringify(before.get(value)) !== JSON.stringify(expected.get(value)),
    );
    expect(report).toMatchObject({
      added: added.length,
      removed: removed.length,
      changed: changed.length,
      unchanged: kept.length - changed.length,
      duplicates: rows.length - distinct.size,
    });
    expect(report.source.entries).toBe(expected.size);
    const { rows: logged } = await sql<{ key: Buffer }>`
      select key from replica_change where dataset = 'corpus' and collection = 'listing'
         and seq > ${seqBefore} and seq <= ${report.seq}
       order by key`.execute(system.db);
    const keys = [...added, ...removed, ...changed].map((value) => Buffer.from(keyOf(indicator(value))));
    if (history.length > 0)
      expect(logged.map(({ key }) => key)).toEqual(keys.sort((a, b) => Buffer.compare(a, b)));
    history.push({ atMs: nowMs, state: expected });
    seqBefore = report.seq;
    before = expected;
    isKnownSource ||= expected.size > 0;
  }
  for (const { atMs, state } of history) expect(await listedAt(id, atMs)).toEqual(sorted(state));
}

let run = 0;
test('any sequence of snapshots leaves what the last one says, and every past instant can be replayed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(listedRow, { maxLength: 8 }), { minLength: 1, maxLength: 5 }),
      async (snapshots) => {
        run += 1;
        await checkSnapshots(`state-${run}`, snapshots, 'state');
      },
    ),
    { numRuns: 40 },
  );
});

test('two rows of one entry whose dates cross change nothing when the list repeats them', async () => {
  const dated = row('1.2.3.4', { lastSeenMs: DATES[0] ?? 0, confidence: 0 });
  const crossing = row('1.2.3.4', { firstSeenMs: DATES[2] ?? 0, reference: 'https://a.example.com/1' });
  const snapshots = [[dated, crossing], [dated, crossing], [crossing]];
  await checkSnapshots('crossing', snapshots, 'state');
});

test('a window source never delists by absence, and its clock is the last appearance', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(listedRow, { maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      async (snapshots) => {
        run += 1;
        await checkSnapshots(`window-${run}`, snapshots, 'window');
      },
    ),
    { numRuns: 20 },
  );
});

test('an unchanged list writes no listing and logs no key', async () => {
  const rows = [row('9.9.9.9'), row('c.example.com')];
  await merge('same', rows);
  const before = await sql<{ at: string }>`select max(xmin::text::bigint)::text as at from listing`.execute(
    system.db,
  );
  nowMs += HOUR_MS;
  const report = await merge('same', rows);
  expect(report).toMatchObject({ added: 0, removed: 0, changed: 0, unchanged: 2 });
  const after = await sql<{ at: string }>`select max(xmin::text::bigint)::text as at from listing`.execute(
    system.db,
  );
  expect(after.rows).toEqual(before.rows);
});

const datingNow = async (id: string) =>
  (await listedAt(id, nowMs + HOUR_MS)).map(({ value, firstSeen, datedBy }) => [
    value,
    firstSeen.toISOString().slice(0, 10),
    ['own', 'sighted', 'undated'][datedBy],
  ]);

test('entries of a first import are undated, those of later ones are sighted, and a date of the source counts', async () => {
  const later = { dataAtMs: DATA_AT_MS + 5 * 24 * HOUR_MS };
  await merge('dating', [
    row('20.0.0.1'),
    row('20.0.0.2', { firstSeenMs: Date.UTC(2026, 0, 1) }),
    row('20.0.0.3', { sightedMs: Date.UTC(2026, 1, 1) }),
  ]);
  nowMs += HOUR_MS;
  const bare = [row('20.0.0.1'), row('20.0.0.2'), row('20.0.0.3'), row('20.0.0.4')];
  expect(await merge('dating', bare, later)).toMatchObject({ added: 1, changed: 0, unchanged: 3 });
  expect(await datingNow('dating')).toEqual([
    ['20.0.0.1', '2026-08-20', 'undated'],
    ['20.0.0.2', '2026-01-01', 'own'],
    ['20.0.0.3', '2026-02-01', 'sighted'],
    ['20.0.0.4', '2026-08-25', 'sighted'],
  ]);
  nowMs += HOUR_MS;
  const told = [
    row('20.0.0.1', { sightedMs: Date.UTC(2026, 2, 1) }),
    row('20.0.0.2', { sightedMs: Date.UTC(2025, 2, 1) }),
    row('20.0.0.3', { lastSeenMs: Date.UTC(2026, 3, 1) }),
    row('20.0.0.4', { sightedMs: Date.UTC(2026, 7, 30) }),
  ];
  expect(await merge('dating', told, later)).toMatchObject({ changed: 2, unchanged: 2 });
  expect(await datingNow('dating')).toEqual([
    ['20.0.0.1', '2026-03-01', 'sighted'],
    ['20.0.0.2', '2026-01-01', 'own'],
    ['20.0.0.3', '2026-02-01', 'own'],
    ['20.0.0.4', '2026-08-25', 'sighted'],
  ]);
});

test('a source registered with nothing but an id is a threat of medium risk from a feed', async () => {
  const source = await registerSource({ system, clock }, 'bare', {});
  expect(source).toMatchObject({
    threatClass: 'threat',
    fpRisk: 'medium',
    signal: 'feed',
    adOnly: false,
    category: 'malicious-activity',
    categories: ['malicious-activity'],
    semantics: 'state',
    enabled: true,
  });
});

test('a source that only describes does not get the category of malicious activity', async () => {
  const settings = { threatClass: 'infrastructure', attributes: ['cdn', 'cloud'] } as const;
  const source = await registerSource({ system, clock }, 'edge', {
    ...settings,
    attributes: [...settings.attributes],
  });
  expect(source).toMatchObject({ category: 'cdn', categories: ['cdn'] });
  expect(await registerSource({ system, clock }, 'ads', { threatClass: 'policy' })).toMatchObject({
    category: 'policy',
  });
});

test('registering again changes the given settings and keeps the rest', async () => {
  await registerSource({ system, clock }, 'twice', { name: 'Two', fpRisk: 'low', attributes: ['cdn'] });
  const source = await registerSource({ system, clock }, 'twice', { threatClass: 'infrastructure' });
  expect(source).toMatchObject({
    name: 'Two',
    fpRisk: 'low',
    attributes: ['cdn'],
    threatClass: 'infrastructure',
  });
});

test('a wrong id or setting is refused with a message', async () => {
  await expect(registerSource({ system, clock }, 'Not An Id', {})).rejects.toThrow('Not An Id');
  await expect(registerSource({ system, clock }, 'wrong', { reliability: 7 })).rejects.toThrow('reliability');
  expect(await findSource(system.db, 'wrong')).toBeUndefined();
});

test('rows that fail halfway leave the last good content and no trace of the attempt', async () => {
  await merge('steady', [row('8.8.4.4')]);
  async function* broken() {
    for (let i = 0; i < 50_000; i += 1) yield [row(`11.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)];
    throw new Error('the publisher hung up');
  }
  const attempt = mergeSnapshot({ system, clock }, 'steady', broken(), { dataAtMs: DATA_AT_MS });
  await expect(attempt).rejects.toThrow('the publisher hung up');
  expect(await valuesNow('steady')).toEqual(['8.8.4.4']);
  const { rows } = await sql`select 1 from indicator where value = '11.0.0.0'`.execute(system.db);
  expect(rows).toEqual([]);
  expect(await merge('steady', [row('8.8.4.4')])).toMatchObject({ unchanged: 1 });
});

test('an empty snapshot is refused unless the caller allows it', async () => {
  await merge('full', [row('8.8.4.4')]);
  await expect(merge('full', [])).rejects.toThrow('holds no indicator');
  expect(await valuesNow('full')).toEqual(['8.8.4.4']);
});

test('a merge into an unregistered source is 404', async () => {
  const attempt = mergeSnapshot({ system, clock }, 'nobody', [[row('8.8.4.4')]], { dataAtMs: DATA_AT_MS });
  await expect(attempt).rejects.toMatchObject({ code: 'Not Found' });
});

test('a clock that stands still makes no empty period', async () => {
  await merge('still', [row('1.1.1.2')]);
  await merge('still', [row('1.1.1.3')]);
  await merge('still', [row('1.1.1.2')]);
  expect(await valuesNow('still')).toEqual(['1.1.1.2']);
});

test('two merges that bring the same new indicators at once both succeed', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => row(`12.0.${i >> 8}.${i & 255}`));
  const reports = await Promise.all([merge('left', rows), merge('right', [...rows].reverse())]);
  expect(reports.map(({ added }) => added)).toEqual([20_000, 20_000]);
});

test('the service reads the corpus and cannot write it', async () => {
  const app = connectPostgres({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 1 }, 'assay_app', PATIENT);
  try {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from listing`.execute(app.db);
    expect(rows[0]?.count).toBeGreaterThan(0);
    await expect(sql`delete from listing`.execute(app.db)).rejects.toThrow('permission denied');
    await expect(sql`update source set fp_risk = 'low'`.execute(app.db)).rejects.toThrow('permission denied');
  } finally {
    await app.close();
  }
});
