import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { statisticsDeps } from '#app/statistics.ts';
import { refreshStatistics } from '#capabilities/analytics/index.ts';
import type { SourceSettings } from '#capabilities/corpus/index.ts';
import { loadReference } from '#capabilities/enrichment/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { sql } from '#platform/postgres.ts';
import { eventually } from '#test/eventually.ts';
import { loadList } from '#test/load-list.ts';
import { makeMmdb } from '#test/mmdb.ts';
import { type ServiceWithAccount, startWithAccount } from '#test/service-accounts.ts';
import { beginWithinOneHour } from './one-hour.ts';

const clock = systemClock();
const HOUR_MS = 3_600_000;

/**
 * No other listing covers these by range, parent name or neighbourhood, so their checks rest on these
 * listings alone.
 */
const GERMAN = ['45.9.148.3', '45.9.149.4', '45.9.150.5'];
const DUTCH = ['91.92.240.10', '2a0b:f4c2::1'];
const NOWHERE = '89.248.165.2';
const NAMES = ['evil-one.com', 'evil-two.net', 'evil-three.org'];
const FILE = 'ab'.repeat(32);
const LISTS: readonly (readonly [string, readonly string[], SourceSettings, number])[] = [
  [
    'strong',
    [GERMAN[0] as string, NAMES[0] as string, FILE],
    { letter: 'A', reliability: 0.95, fpRisk: 'low', category: 'c2' },
    1,
  ],
  ['medium', [...GERMAN, ...DUTCH, ...NAMES], { letter: 'C', reliability: 0.6, category: 'malware' }, 20],
  [
    'weak',
    [NOWHERE, ...DUTCH, NAMES[1] as string],
    { letter: 'E', reliability: 0.2, fpRisk: 'high' },
    24 * 40,
  ],
  ['popular', [NAMES[2] as string], { threatClass: 'allowlist', guard: 'popularity', rankMax: 1_000 }, 1],
  [
    'exits',
    [DUTCH[0] as string, '52.95.110.1'],
    { threatClass: 'infrastructure', attributes: ['tor-exit'] },
    1,
  ],
  ['ads', ['ads.tracker-host.com'], { adOnly: true, category: 'ads' }, 1],
];
const THREATS = [...GERMAN, ...DUTCH, NOWHERE, ...NAMES, FILE];

let running: ServiceWithAccount;
let credential: string;
const dataDir = mkdtempSync(join(tmpdir(), 'assay-slices-'));

const get = async <T>(path: string): Promise<T> => {
  const response = await fetch(`${running.service.url}${path}`, { headers: { 'X-API-KEY': credential } });
  expect(response.status, path).toBe(200);
  return (await response.json()) as T;
};
type WordCount = { readonly word: string; readonly count: number };
type Level = { readonly level: string; readonly count: number; readonly words: readonly WordCount[] };
const riskOf = async (query: string) =>
  (await get<{ riskScore: { level: string; word: string } }>(`/check?query=${query}`)).riskScore;

function refresh(maxAgeMs?: number, atMs = clock.now()) {
  const { system } = running.accounts;
  const artifacts = createArtifacts({ postgres: system, dataDir, log: createLog('silent'), clock });
  const deps = { ...statisticsDeps(clock, artifacts), clock: { ...clock, now: () => atMs } };
  return refreshStatistics(
    { ...deps, transaction: system.transaction },
    maxAgeMs === undefined ? {} : { maxAgeMs },
  );
}
async function slice<T>(name: string): Promise<T> {
  const { rows } = await sql<{ value: T }>`
    select value -> 'analytics' -> ${name} as value from corpus_statistic where name = 'threats'`.execute(
    running.accounts.system.db,
  );
  return rows[0]?.value as T;
}

beforeAll(async () => {
  running = await startWithAccount();
  const { system } = running.accounts;
  credential = (await running.accounts.newAccount('slices@example.com', { plan: 'ENTERPRISE' })).credential;
  for (const [id, lines, settings, ageHours] of LISTS)
    await loadList({ system, clock }, id, lines, { dataAtMs: clock.now() - ageHours * HOUR_MS, settings });
  const file = makeMmdb({
    '45.9.0.0/16': { country_code: 'DE' },
    '91.92.240.0/24': { country_code: 'NL' },
    '2a0b:f4c2::/32': { country_code: 'NL' },
  });
  await loadReference({ clock, transaction: system.transaction }, 'geo', [
    { label: 'countries', bytes: file, modifiedAtMs: clock.now() },
  ]);
  await eventually('the lists are in the replica', 20_000, async () => {
    const { sources } = await get<{ sources: unknown[] }>(`/check?query=${DUTCH[0]}`);
    return sources.length === 3;
  });
  await refresh();
}, 600_000);
beforeEach(beginWithinOneHour);
afterAll(async () => {
  await running?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('GET /analytics: levels and countries', () => {
  test('threatDistribution has each threat at the level, and under the word, that a check of it gives', async () => {
    const expected: Record<string, number> = {};
    const words: Record<string, number> = {};
    for (const threat of THREATS) {
      const { level, word } = await riskOf(threat);
      expected[level] = (expected[level] ?? 0) + 1;
      words[word] = (words[word] ?? 0) + 1;
    }
    const { threatDistribution } = await get<{ threatDistribution: Level[] }>('/analytics');
    const counted = threatDistribution.filter(({ count }) => count > 0);
    expect(Object.fromEntries(counted.map(({ level, count }) => [level, count]))).toEqual(expected);
    expect(counted.length).toBeGreaterThan(2);
    const said = counted.flatMap((level) => level.words.map(({ word, count }) => [word, count] as const));
    expect(Object.fromEntries(said)).toEqual(words);
  });

  test('geoThreatMap counts the listed addresses by country; addresses without a known country are left out', async () => {
    const { geoThreatMap } = await get<{ geoThreatMap: unknown }>('/analytics?metric=geoThreatMap');
    expect(geoThreatMap).toEqual([
      { countryCode: 'DE', count: 3 },
      { countryCode: 'NL', count: 2 },
    ]);
  });

  test('/stats gives the number of listed indicators, the number of sources and the age of the newest data', async () => {
    const stats = await get<{ newestDataAt: string } & Record<string, unknown>>('/stats');
    expect(stats).toMatchObject({ totalThreats: 10, indicators: 12, sourceCount: 6 });
    expect(clock.now() - Date.parse(stats.newestDataAt)).toBeLessThan(2 * HOUR_MS);
  });

  test('both keep their figures for an hour after a fetch, until the next scheduled count', async () => {
    const { system } = running.accounts;
    const before = await slice<Level[]>('threatDistribution');
    await loadList({ system, clock }, 'later', ['45.9.151.6'], {
      dataAtMs: clock.now(),
      settings: { letter: 'A' },
    });
    const total = (levels: readonly { count: number }[]) => levels.reduce((sum, { count }) => sum + count, 0);
    await refresh(1);
    expect(await slice<Level[]>('threatDistribution')).toEqual(before);
    await refresh(1, clock.now() + HOUR_MS);
    expect(total(await slice<Level[]>('threatDistribution'))).toBe(total(before) + 1);
    expect(await slice('geoThreatMap')).toContainEqual({ countryCode: 'DE', count: 4 });
  });
});
