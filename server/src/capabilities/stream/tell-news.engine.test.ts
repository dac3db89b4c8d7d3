import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import { NO_SIGNAL_BOOK } from '#capabilities/signals/index.ts';
import { keepStandings, type StandingDeps, walkStandings } from '#capabilities/standing/index.ts';
import { sql } from '#platform/postgres.ts';
import { type ListedCorpus, openListedCorpus } from '#test/listed-corpus.ts';
import { createNewsTeller } from './tell-news.ts';

const START_MS = Date.UTC(2026, 8, 1);
const HOUR_MS = 3_600_000;
const C2 = { category: 'c2', reliability: 0.95, letter: 'A', fpRisk: 'low', redistributable: true } as const;
const TOLD_MAX = 5;
const MORE = Array.from({ length: 12 }, (_, i) => `45.83.80.${i}`);

type Row = { readonly type: string; readonly payload: Record<string, unknown> };
let listed: ListedCorpus;
let deps: StandingDeps;
let runs = 0;

const options = () => {
  runs += 1;
  return { run: `run-${runs}`, transaction: listed.system.transaction };
};
const keep = () => keepStandings(deps, options());
/** The events since the last call. */
async function news(): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    with gone as (delete from event_outbox returning draft, type, payload)
    select type, payload from gone order by draft`.execute(listed.system.db);
  return rows;
}
const brief = (rows: readonly Row[]) =>
  rows
    .map(
      ({ type, payload }) =>
        `${type} ${(payload.indicator as { value: string } | undefined)?.value ?? String(payload.reason)}`,
    )
    .sort();

beforeAll(async () => {
  listed = await openListedCorpus(START_MS);
  deps = {
    corpus: listed.corpus,
    enrichment: { book: () => EMPTY_BOOK },
    signals: { book: () => NO_SIGNAL_BOOK },
    clock: listed.clock,
    refresh: () => listed.built.replica.refresh(),
    news: createNewsTeller({ clock: listed.clock }, TOLD_MAX),
  };
});
afterAll(() => listed.close());
beforeEach(() => listed.pass(HOUR_MS));

describe('what the keeper of standings tells (O13)', () => {
  test('the first walk tells nothing', async () => {
    await listed.list('c2', ['45.83.64.1', 'bad.example.com'], C2);
    expect((await keep()).followed).toMatchObject({ walks: 1, put: 2 });
    expect(await news()).toEqual([]);
  });

  test('a new entry of a known list is a new threat, and enters a collection', async () => {
    await listed.list('c2', ['45.83.64.1', 'bad.example.com', '45.83.64.2'], C2);
    await keep();
    const told = await news();
    expect(brief(told)).toEqual(['ioc.published 45.83.64.2', 'threat.new 45.83.64.2']);
    expect(told[0]?.payload).toMatchObject({
      severity: expect.stringMatching(/high|critical/) as unknown,
      categories: ['c2'],
      indicator: { type: 'ip', value: '45.83.64.2' },
      sources: { count: 1, names: ['c2'] },
      lastSeen: null,
    });
    expect(told[1]?.payload).toMatchObject({
      collection: 'malicious-ips',
      stixId: expect.stringMatching(/^indicator--/) as unknown,
    });
  });

  test('a refetch without changes, and hours that only age, tell nothing', async () => {
    listed.pass(60 * 24 * HOUR_MS);
    await listed.list('c2', ['45.83.64.1', 'bad.example.com', '45.83.64.2'], C2);
    expect((await keep()).judged?.wasDue).toBe(true);
    listed.pass(90 * 24 * HOUR_MS);
    expect((await keep()).judged?.changed).toBeGreaterThan(0);
    expect((await walkStandings(deps, options()))?.followed.walks).toBe(1);
    expect(await news()).toEqual([]);
    await listed.list('c2', ['45.83.64.1', 'bad.example.com', '45.83.64.2'], C2, {
      dataAtMs: listed.clock.now(),
    });
    await keep();
    await news();
  });

  test('the first load of a list is one summary, however many it adds', async () => {
    const many = Array.from({ length: 30 }, (_, i) => `45.83.70.${i}`);
    await listed.list('fresh', [...many, '45.83.64.1'], { ...C2, name: 'Fresh list', lineage: 'fresh' });
    await keepStandings(deps, { ...options(), rowsPerBatch: 10 });
    const told = await news();
    expect(brief(told)).toEqual(['stream.summary first-load']);
    expect(told[0]?.payload).toMatchObject({
      count: 31,
      source: { id: 'fresh', name: 'Fresh list' },
      types: ['threat.new', 'threat.updated', 'reputation.changed', 'ioc.published'],
    });
  });

  test('a release from quarantine is one summary', async () => {
    const released = Array.from({ length: 20 }, (_, i) => `45.83.71.${i}`);
    const kept = Array.from({ length: 30 }, (_, i) => `45.83.70.${i}`);
    await listed.list(
      'fresh',
      [...kept, ...released, '45.83.64.1'],
      { lineage: 'fresh' },
      { isReleased: true },
    );
    await keep();
    expect(brief(await news())).toEqual(['stream.summary release']);
  });

  test('beyond its bound a run tells a summary of the rest', async () => {
    await listed.list('c2', ['45.83.64.1', 'bad.example.com', '45.83.64.2', ...MORE], C2);
    await keep();
    const told = await news();
    expect(told.filter(({ type }) => type === 'threat.new')).toHaveLength(TOLD_MAX);
    expect(told.at(-1)).toMatchObject({
      type: 'stream.summary',
      payload: { reason: 'many-changes', count: 12 - TOLD_MAX, types: ['threat.new', 'ioc.published'] },
    });
  });

  test('another list that names it is told as an update or a change of level, with the reason', async () => {
    await listed.list('other', ['198.51.100.1'], {
      ...C2,
      category: 'malware',
      name: 'Other',
      lineage: 'other',
    });
    await keep();
    await news();
    await listed.list('other', ['198.51.100.1', 'bad.example.com'], { lineage: 'other' });
    await keep();
    const [told] = await news();
    expect(['threat.updated', 'reputation.changed']).toContain(told?.type);
    expect(told?.payload).toMatchObject({
      categories: ['c2', 'malware'],
      sources: { count: 2 },
      ...(told?.type === 'reputation.changed'
        ? { reason: 'Now listed by Other.' }
        : { changed: ['sources', 'categories', 'score'] }),
    });
  });

  test('an indicator that no source lists any longer is told with its level before and now', async () => {
    listed.pass(HOUR_MS);
    await listed.list('other', ['198.51.100.1'], { lineage: 'other' });
    await listed.list('c2', ['45.83.64.1', '45.83.64.2', ...MORE], C2);
    listed.pass(200 * 24 * HOUR_MS);
    await keep();
    const told = (await news()).filter(
      ({ payload }) => (payload.indicator as { value: string }).value === 'bad.example.com',
    );
    expect(told.map(({ type }) => type)).toEqual(['reputation.changed']);
    expect(told[0]?.payload).toMatchObject({
      level: 'inconclusive',
      severity: 'low',
      sources: { count: 0, names: [] },
      categories: ['c2', 'malware'],
      reason: expect.stringMatching(/^No longer listed by /) as unknown,
    });
  });

  test('news and standings commit together: a failed transaction leaves neither', async () => {
    await listed.list('c2', ['45.83.64.1', '45.83.64.2', ...MORE, '45.83.90.1'], C2);
    const failing = { ...deps, news: () => async () => Promise.reject(new Error('The outbox is away.')) };
    await expect(keepStandings(failing, options())).rejects.toThrow('The outbox is away.');
    expect(await news()).toEqual([]);
    await keep();
    expect(brief(await news())).toContain('threat.new 45.83.90.1');
  });
});
