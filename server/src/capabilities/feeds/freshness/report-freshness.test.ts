import { describe, expect, test } from 'vitest';
import { registrySource } from '#test/registry.ts';
import { DataFreshness } from './contract.ts';
import type { FeedState } from './judge-freshness.ts';
import { overallStatus, reportFreshness } from './report-freshness.ts';

const NOW_MS = Date.UTC(2027, 0, 31);
const DAY_MS = 86_400_000;
const daysAgoS = (days: number) => (NOW_MS - days * DAY_MS) / 1_000;
const loaded = (number: number, given: object = {}) =>
  registrySource({ number, entries: 10, dataAtS: daysAgoS(1), lastFetchAtS: daysAgoS(1), ...given });
const state = (sourceNumber: number, given: Partial<FeedState> = {}): FeedState => ({
  sourceNumber,
  nextRunAtMs: null,
  problem: null,
  rebaseMs: 0,
  quarantine: null,
  ...given,
});

describe('overall status', () => {
  test.each([
    [['fresh', 'fresh'], 'fresh'],
    [['fresh', 'failing'], 'degraded'],
    [['fresh', 'fresh', 'stale'], 'degraded'],
    [['fresh', 'stale', 'missing'], 'stale'],
    [['failing'], 'stale'],
    [[], 'stale'],
  ] as const)('%j is %s', (statuses, overall) => {
    expect(overallStatus(statuses)).toBe(overall);
  });
});

describe('data sets', () => {
  const report = (sources: Parameters<typeof reportFreshness>[0], states: readonly FeedState[] = []) => {
    const answer = reportFreshness(sources, states, NOW_MS);
    expect(DataFreshness.parse(answer)).toEqual(answer);
    return answer;
  };

  test('a source is a data set when it is enabled and fetched or loaded; the rest of the registry is not', () => {
    const { datasets } = report([
      loaded(1),
      registrySource({ number: 2, scheduled: true }),
      registrySource({ number: 3 }),
      loaded(4, { enabled: false }),
    ]);
    expect(datasets.map(({ id, status }) => [id, status])).toEqual([
      ['list-2', 'missing'],
      ['list-1', 'fresh'],
    ]);
  });

  test('an age is of the data, in hours, against thirty intervals and never less than fourteen days', () => {
    const { datasets } = report([loaded(1), loaded(2, { intervalS: 1_800 })]);
    expect(datasets).toMatchObject([
      { lastUpdatedAt: '2027-01-30T00:00:00.000Z', ageHours: 24, slaHours: 720, records: 10, message: null },
      { slaHours: 336 },
    ]);
  });

  test('data exactly as old as allowed is fresh, older is stale and says so', () => {
    const hourly = { intervalS: 3_600 };
    const { datasets } = report([
      loaded(1, { ...hourly, dataAtS: daysAgoS(14) }),
      loaded(2, { ...hourly, dataAtS: daysAgoS(14) - 1 }),
    ]);
    expect(datasets.map(({ id, status, message }) => [id, status, message])).toEqual([
      ['list-2', 'stale', 'Its data is older than 14 days.'],
      ['list-1', 'fresh', null],
    ]);
  });

  test('the stored problem is the message, because it also says which content stays; without one the quarantine reason is', () => {
    const { datasets, overallStatus: overall } = report(
      [loaded(1), loaded(2)],
      [
        state(1, { problem: 'The publisher answered 503.' }),
        state(2, {
          quarantine: { reason: 'It shrank from 900 entries to 12.', isReleasable: true },
        }),
      ],
    );
    expect(datasets.map(({ status, message }) => [status, message])).toEqual([
      ['failing', 'The publisher answered 503.'],
      ['failing', 'It shrank from 900 entries to 12.'],
    ]);
    expect(overall).toBe('stale');
  });

  test('sources with one problem share a reason and a cause; what stays of each is in its message alone', () => {
    const needsKey = 'This source needs a key: set ABUSECH_AUTH_KEY.';
    const { datasets } = report(
      [
        loaded(1),
        registrySource({ number: 2, scheduled: true }),
        loaded(3, { dataAtS: daysAgoS(99) }),
        loaded(4),
      ],
      [
        state(1, {
          problem: `${needsKey} The last good content of 2027-01-01 (10 entries) stays.`,
          rebaseMs: 3 * DAY_MS,
        }),
        state(2, { problem: `${needsKey} Nothing has been loaded yet.` }),
      ],
    );
    expect(datasets.map(({ id, cause, reason, movedDays }) => [id, cause, reason, movedDays])).toEqual([
      ['list-1', 'key', needsKey, 3],
      ['list-2', 'key', needsKey, 0],
      ['list-3', 'old', 'Its data is older than the interval it promises allows.', 0],
      ['list-4', null, null, 0],
    ]);
    expect(datasets[0]?.message).toContain('stays. Its dates were moved');
  });

  test('sources that have data are counted by the rule of every other surface', () => {
    const sources = [
      loaded(1),
      loaded(2, { entries: 0 }),
      registrySource({ number: 3, scheduled: true }),
      loaded(4, { enabled: false }),
    ];
    const { sourceCount, datasets } = report(sources);
    expect([sourceCount, datasets.length]).toEqual([1, 3]);
    expect(sourceCount).toBe(datasets.filter(({ records }) => (records ?? 0) > 0).length);
  });

  test('dates that were moved are never shown without saying by how much', () => {
    const { datasets } = report(
      [loaded(1), loaded(2)],
      [
        state(1, { rebaseMs: 40 * DAY_MS }),
        state(2, { rebaseMs: 1 * DAY_MS, problem: 'The publisher answered 404.' }),
      ],
    );
    expect(datasets.map(({ id, message }) => [id, message])).toEqual([
      ['list-2', 'The publisher answered 404. Its dates were moved forward by 1 day when it was imported.'],
      ['list-1', 'Its dates were moved forward by 40 days when it was imported.'],
    ]);
    expect(datasets[1]?.status).toBe('fresh');
  });

  test('a scheduled source whose publisher is not asked is stale although its data is young', () => {
    const late = (hours: number) => state(1, { nextRunAtMs: NOW_MS - hours * 3_600_000 });
    const scheduled = [loaded(1, { scheduled: true })];
    expect(report(scheduled, [late(3)]).datasets[0]?.status).toBe('stale');
    expect(report(scheduled, [late(1)]).datasets[0]?.status).toBe('fresh');
    expect(report([loaded(1)], [late(3)]).datasets[0]?.status).toBe('fresh');
  });
});

describe('actions', () => {
  const actions = (sources: Parameters<typeof reportFreshness>[0], states: readonly FeedState[] = []) =>
    reportFreshness(sources, states, NOW_MS).actions;

  test('nothing to do when all is fresh; with nothing loaded, load something', () => {
    expect(actions([loaded(1)])).toEqual([]);
    expect(actions([])).toEqual([expect.stringContaining('Load a first source')]);
  });

  test('each problem has its own advice and names the sources', () => {
    const said = actions(
      [
        loaded(1),
        loaded(2),
        loaded(3),
        registrySource({ number: 4, scheduled: true }),
        loaded(5, { dataAtS: daysAgoS(99) }),
        loaded(6, { scheduled: true }),
      ],
      [
        state(1, { quarantine: { reason: 'x', isReleasable: true } }),
        state(2, { quarantine: { reason: 'x', isReleasable: false } }),
        state(3, { problem: 'x' }),
        state(6, { nextRunAtMs: NOW_MS - DAY_MS }),
      ],
    );
    expect(said).toEqual([
      expect.stringMatching(/quarantined download of list-1 /),
      expect.stringMatching(/address of list-2:/),
      expect.stringMatching(/why list-3 cannot be fetched/),
      expect.stringMatching(/Load list-4:/),
      expect.stringMatching(/worker.*list-6 is scheduled/),
      expect.stringMatching(/newer data for list-5,/),
    ]);
  });

  test('three hundred sources with one problem are one sentence', () => {
    const many = Array.from({ length: 300 }, (_, at) => registrySource({ number: at + 1, scheduled: true }));
    const [only, ...more] = actions(many);
    expect(more).toEqual([]);
    expect(only).toContain('and 295 more');
  });
});
