import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runDefinition } from '#capabilities/datasets/index.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { startPublisher } from '#test/publisher.ts';
import { type RansomwareRig, startRansomwareRig } from '#test/ransomware-rig.ts';
import { NOW_MS } from '../claims.fixture.ts';

/** The newest claim of the fixture is of 8 May 2026, 01:00. */
const OLD_MS = NOW_MS + 107 * DAY_MS;
const NEWEST = '2026-05-08T01:00:00.000Z';
let rig: RansomwareRig;
const get = async (path: string) => (await rig.get(path)).body;

beforeAll(async () => {
  rig = await startRansomwareRig();
  await rig.loadAll();
});
afterAll(() => rig?.close());
beforeEach(() => rig.moveTo(NOW_MS));

const NO_FIGURES = {
  riskLevel: 'inconclusive',
  score: null,
  victims30d: null,
  victimsPrev30d: null,
  trend: null,
};
const LAST_OF_MAY_MS = NOW_MS + 23 * DAY_MS;

describe('the newest claim is older than 14 days', () => {
  test('no sector is called low: it is inconclusive, with the date and a sentence, never a zero', async () => {
    rig.moveTo(LAST_OF_MAY_MS);
    const one = await get('/ransomware/sector-risk?sector=healthcare');
    expect(one).toMatchObject({ ...NO_FIGURES, inconclusive: true, dataAsOf: NEWEST });
    expect(one.message).toMatch(/newest loaded claim is of 2026-05-08, 23 days ago/);
    expect(one.recentVictims).toHaveLength(3);
    const { sectors, ...all } = await get('/ransomware/sector-risk');
    expect(sectors).toHaveLength(23);
    for (const each of sectors) expect(each, each.sector).toMatchObject(NO_FIGURES);
    expect(all).toMatchObject({ inconclusive: true, dataAsOf: NEWEST });
    expect(await get('/ransomware/sector-victims?sector=healthcare')).toMatchObject({
      riskLevel: 'inconclusive',
      total: 3,
      inconclusive: true,
      dataAsOf: NEWEST,
    });
  });

  test('a history is inconclusive from the fifteenth day on, and conclusive before', async () => {
    rig.moveTo(LAST_OF_MAY_MS);
    const { points, inconclusive } = await get('/ransomware/sector-risk/history?days=23&sector=healthcare');
    expect(inconclusive).toBe(true);
    const levels = Object.fromEntries(points.map((each: { date: string }) => [each.date, each]));
    expect(levels['2026-05-21']).toMatchObject({ score: expect.any(Number), riskLevel: 'low', victims: 0 });
    expect(levels['2026-05-22']).toMatchObject({ score: null, riskLevel: 'inconclusive', victims: null });
    expect(points.at(-1)).toMatchObject({ date: '2026-05-31', score: null, riskLevel: 'inconclusive' });
  });

  test('statistics that end today are unknown; what is loaded in all stays counted', async () => {
    rig.moveTo(OLD_MS);
    const stats = await get('/ransomware/stats');
    expect(stats).toMatchObject({
      totalVictims: 10,
      activeGroups: null,
      attacksThisMonth: null,
      attacksThisYear: null,
      last24h: null,
      last7d: null,
      inconclusive: true,
      dataAsOf: NEWEST,
    });
    expect(stats.message).toMatch(/FEEDS_ENABLED/);
    expect(await get('/check/ransomware')).toMatchObject({
      stats: { totalVictims: 10, activeGroups: null, attacksThisMonth: null, attacksThisYear: null },
      inconclusive: true,
      dataAsOf: NEWEST,
      message: expect.stringMatching(/2026-05-08, 107 days ago/),
    });
    expect(await get('/ransomware/feed?limit=1')).toMatchObject({
      dataAsOf: NEWEST,
      message: expect.stringMatching(/107 days ago/),
    });
  });

  test('no group is called inactive on the word of old claims, and an active one stays active', async () => {
    const statuses = async () =>
      (await get('/ransomware/groups')).groups.map((each: { name: string; status: string }) => [
        each.name,
        each.status,
      ]);
    rig.moveTo(LAST_OF_MAY_MS);
    expect(await statuses()).toEqual([
      ['play', 'active'],
      ['akira', 'active'],
      ['qilin', 'active'],
      ['conti', 'seized'],
      ['sleeping', null],
    ]);
    rig.moveTo(OLD_MS);
    expect(Object.fromEntries(await statuses())).toMatchObject({ play: null, akira: null, conti: 'seized' });
    const { groups, inconclusive } = await get('/ransomware/groups');
    expect(inconclusive).toBe(true);
    expect(groups[0]).toMatchObject({ victims: 4, claims30d: null, claimsPrev30d: null });
    expect(await get('/ransomware/group-profile?group=play')).toMatchObject({
      status: null,
      victims: 4,
      victims30d: null,
      inconclusive: true,
    });
  });

  test('a name that no claim has is not found, and the answer says how old the claims are', async () => {
    rig.moveTo(OLD_MS);
    const { found, message } = await get('/check/ransomware?query=unheard-of.example.com');
    expect(found).toBe(false);
    expect(message).toMatch(/does not show that there was no attack.*2026-05-08, 107 days ago/);
  });
});

describe('a tracker that publishes claims of this week', () => {
  test('makes sectors and statistics conclusive again, with the date of its newest claim', async () => {
    rig.moveTo(OLD_MS);
    expect((await get('/ransomware/sector-risk?sector=healthcare')).riskLevel).toBe('inconclusive');
    const publisher = await startPublisher();
    const outbound = createOutbound({ log: createLog('silent'), clock: rig.clock, allow: [publisher.allow] });
    const deps = { ...rig.deps, outbound, keys: () => undefined };
    const definition = { ...rig.definitionOf('ransomware-live'), urls: [publisher.url('recent')] };
    const recent = Array.from({ length: 60 }, (_, n) => ({
      victim: `Weekly ${n}`,
      group: n % 2 === 0 ? 'akira' : 'lockbit5',
      discovered: new Date(OLD_MS - (n % 7) * DAY_MS).toISOString(),
      activity: n % 3 === 0 ? 'Healthcare' : 'Manufacturing',
      country: 'US',
    }));
    try {
      publisher.publish('recent', JSON.stringify(recent));
      expect(await runDefinition(deps, definition, { force: true })).toMatchObject({ status: 'succeeded' });
    } finally {
      await outbound.close();
      await publisher.close();
    }
    const newest = new Date(OLD_MS).toISOString();
    expect(await get('/ransomware/sector-risk?sector=healthcare')).toMatchObject({
      riskLevel: 'high',
      score: 53,
      victims30d: 20,
      victimsPrev30d: null,
      trend: null,
      inconclusive: false,
      dataAsOf: newest,
      message: expect.stringMatching(/no trend/),
    });
    const { points } = await get('/ransomware/sector-risk/history?days=8&sector=healthcare');
    expect(points[0]).toMatchObject({ score: null, riskLevel: 'inconclusive' });
    expect(points.at(-1)).toMatchObject({ score: 53, riskLevel: 'high' });
    expect(await get('/ransomware/stats')).toMatchObject({
      activeGroups: 2,
      last7d: 60,
      inconclusive: false,
      dataAsOf: newest,
      topSectors: expect.arrayContaining([{ sector: 'manufacturing', count: 40 }]),
    });
    expect((await get('/ransomware/groups')).groups).toContainEqual(
      expect.objectContaining({ name: 'sleeping', status: 'inactive' }),
    );
  });
});

describe('fewer than 20 % of the claims of the last 30 days have a sector', () => {
  test('sectors are inconclusive although claims are of today; the statistics name no top sectors', async () => {
    const bare = Array.from({ length: 40 }, (_, n) => ({
      post_title: `Nameless ${n}`,
      group_name: 'bulk',
      discovered: '2026-05-07',
    }));
    await rig.load('ransomlook', bare);
    const one = await get('/ransomware/sector-risk?sector=healthcare');
    expect(one).toMatchObject({ ...NO_FIGURES, inconclusive: true });
    expect(one.message).toMatch(/^A sector is known for \d of 48 claims of the last 30 days \(\d %\)/);
    const { points } = await get('/ransomware/sector-risk/history?days=2&sector=healthcare');
    expect(points.map(({ riskLevel }: { riskLevel: string }) => riskLevel)).toEqual([
      'inconclusive',
      'inconclusive',
    ]);
    expect(await get('/ransomware/stats')).toMatchObject({
      totalVictims: 50,
      last7d: expect.any(Number),
      topSectors: [],
      topCountries: [],
      inconclusive: true,
      message: expect.stringMatching(/A sector is known.*A country is known/),
    });
  });
});

describe('counts', () => {
  test('a group with more than a hundred claims is counted in full, with all groups of a name', async () => {
    const many = Array.from({ length: 197 }, (_, n) => ({
      post_title: `Counted Works ${n}`,
      group_name: n < 3 ? 'early' : 'many',
      discovered: `2026-05-0${n < 3 ? 1 : 6}`,
    }));
    await rig.load('ransomware-live', many);
    const group = await get('/check/ransomware?query=many');
    expect(group.matches).toHaveLength(100);
    expect(group.total).toBe(194);
    expect(group.message).toMatch(/^194 claims match; the newest 99 are shown/);
    const name = await get('/check/ransomware?query=counted%20works');
    expect([name.total, name.groups]).toEqual([197, ['many', 'early']]);
  });

  test.each([
    ['type=foo', 400],
    ['query=akira&type=ip', 400],
    ['query=akira&type=stats', 200],
    ['query=akira&type=', 200],
  ])('/check/ransomware?%s answers %i', async (query, status) => {
    expect((await rig.get(`/check/ransomware?${query}`)).status).toBe(status);
  });
});
