import { type Analytics, type PublicStats, verdictOfLevel } from '@assay/sdk';
import type { LevelPart } from '../../charts/level-bar.tsx';
import type { CountryCount } from '../../charts/world-map.tsx';
import { exact, plural, short } from '../../words/numbers.ts';
import { relativeTime } from '../../words/time.ts';

/**
 * "3,412,345 indicators are listed as threats by 171 sources; the newest data is from 40 min ago.", then the recent
 * activity.
 */
export function headSentences(stats: PublicStats, nowMs: number): readonly string[] {
  const { totalThreats, recentActivity, sourceCount, newestDataAt } = stats;
  if (totalThreats === 0)
    return [
      'Nothing is listed yet. Load sources first: until then every answer is unknown, and that is not a verdict.',
    ];
  const newestMs = Date.parse(newestDataAt ?? '');
  const newest = Number.isNaN(newestMs) ? '' : `; the newest data is from ${relativeTime(newestMs, nowMs)}`;
  return [
    `${exact(totalThreats)} indicators are listed as threats by ${plural(sourceCount, 'source')}${newest}.`,
    activitySentence(recentActivity),
  ];
}

function activitySentence({ last24h, last7d, growthRate }: PublicStats['recentActivity']): string {
  if (last7d === 0) return 'No source has added anything in the last seven days, first loads left out.';
  const day = `${plural(last24h, 'listing was', 'listings were')} added in the last 24 hours, ${exact(last7d)} in seven days`;
  if (growthRate === 0) return `${day}.`;
  const share = `${exact(Math.abs(Math.round(growthRate)))} %`;
  return `${day}: ${share} ${growthRate > 0 ? 'more' : 'fewer'} than in the seven before.`;
}

/** A listed indicator below 10 points: its reports have faded or are too weak to count. */
const FADED = { word: 'Old or weak report', tone: 'neutral' } as const;

export const levelParts = (levels: NonNullable<Analytics['threatDistribution']>): readonly LevelPart[] =>
  levels.map(({ level, count }) => {
    const { word, tone } = level === 'inconclusive' ? FADED : verdictOfLevel(level);
    return { id: level, count, word, tone };
  });

export const levelSentence = (parts: readonly LevelPart[]): string =>
  `Listed indicators by level: ${parts.map(({ word, count }) => `${word} ${exact(count)}`).join(', ')}.`;

export function countryCounts(map: NonNullable<Analytics['geoThreatMap']>): readonly CountryCount[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });
  return map.map(({ countryCode, count }) => ({
    code: countryCode,
    count,
    name: nameOf(names, countryCode),
  }));
}

function nameOf(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

export function mapSentence(countries: readonly CountryCount[]): string {
  const [first, second, third] = countries;
  if (first === undefined) return 'No listed address has a known country.';
  const most = [first, second, third].flatMap((country) =>
    country === undefined ? [] : [`${country.name} ${short(country.count)}`],
  );
  return `Listed addresses by country, ${plural(countries.length, 'country', 'countries')}; most in ${most.join(', ')}.`;
}

export function timelineSentence(days: NonNullable<Analytics['threatTimeline']>): string {
  const added = days.reduce((sum, day) => sum + day.added, 0);
  const removed = days.reduce((sum, day) => sum + day.removed, 0);
  return `Listings added and removed a day, last ${days.length} days: ${exact(added)} added, ${exact(removed)} removed.`;
}
