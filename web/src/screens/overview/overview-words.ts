import { type Analytics, type PublicStats, verdictOfLevel } from '@assay/sdk';
import type { LevelPart } from '../../charts/level-shares.ts';
import type { CountryCount } from '../../charts/world-map.tsx';
import type { LinkedWord } from '../../navigation/linked-word.ts';
import { exact, plural, short } from '../../words/numbers.ts';
import { relativeTime } from '../../words/time.ts';

/**
 * "3,912,345 indicators are listed by 171 sources; the newest data is from 40 min ago.", then the number of threats and
 * the recent activity. Each count links to the page that shows it in detail.
 */
export function headSentences(stats: PublicStats, nowMs: number): readonly (readonly LinkedWord[])[] {
  const { indicators, totalThreats, recentActivity, sourceCount, newestDataAt } = stats;
  if (indicators === 0)
    return [
      [
        {
          text: 'Nothing is listed yet. Load sources first: until then every answer is unknown, and that is not a verdict.',
        },
      ],
    ];
  const newestMs = Date.parse(newestDataAt ?? '');
  const newest = Number.isNaN(newestMs) ? '' : `; the newest data is from ${relativeTime(newestMs, nowMs)}`;
  return [
    [
      { text: plural(indicators, 'indicator'), to: FRESHNESS },
      { text: ` ${indicators === 1 ? 'is' : 'are'} listed by ` },
      { text: plural(sourceCount, 'source'), to: FRESHNESS },
      { text: `${newest}.` },
    ],
    [{ text: `${threatSentence(totalThreats, indicators)} ${activitySentence(recentActivity)}` }],
  ];
}

const FRESHNESS = '/status/data';

function threatSentence(totalThreats: number, indicators: number): string {
  if (totalThreats === 0) return 'No threat list names any of them.';
  if (totalThreats >= indicators)
    return indicators === 1 ? 'A threat list names it.' : 'Threat lists name all of them.';
  return `Threat lists name ${exact(totalThreats)} of them; the others are on lists that only describe.`;
}

function activitySentence({ last24h, last7d, growthRate }: PublicStats['recentActivity']): string {
  if (last7d === 0) return 'No listing began in the last seven days; entries without a date are not counted.';
  const day = `${plural(last24h, 'listing was', 'listings were')} added in the last 24 hours, ${exact(last7d)} in seven days`;
  if (growthRate === 0) return `${day}.`;
  const share = `${exact(Math.abs(Math.round(growthRate)))} %`;
  return `${day}: ${share} ${growthRate > 0 ? 'more' : 'fewer'} than in the seven before.`;
}

type Level = NonNullable<Analytics['threatDistribution']>[number];
type ToldLevel = Omit<Level, 'words'> & Partial<Pick<Level, 'words'>>;

/** The usual word of a level that no indicator has; other levels have one word without a scanner. */
const EMPTY_WORDS: ReadonlyMap<string, string> = new Map([['low', 'Reported']]);

/**
 * The parts of the level chart, one for each word of the ladder as the service counts. Words that accuse of nothing are
 * left out when their count is 0. An older service counts by level only, which is shown by the word of the level.
 */
export const levelParts = (levels: readonly ToldLevel[]): readonly LevelPart[] =>
  levels.flatMap(({ level, count, words = [] }) => {
    const said =
      words.length > 0 ? words : [{ word: count === 0 ? EMPTY_WORDS.get(level) : undefined, count }];
    return said.flatMap((each) => {
      const { id, word, tone } = verdictOfLevel(level, each.word);
      const isQuiet = level === 'inconclusive' || level === 'safe';
      return isQuiet && each.count === 0
        ? []
        : [{ id: `${level} ${id}`, level, count: each.count, word, tone }];
    });
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
