import type { DataFreshness, DatasetStatus, Health, PublicStats } from '@assay/sdk';
import { exact, plural } from '../../words/numbers.ts';

export type Status = DatasetStatus['status'];

/** Worst first, the order in which the service sends data sets. */
export const STATUSES: readonly { readonly status: Status; readonly word: string }[] = [
  { status: 'failing', word: 'Failing' },
  { status: 'missing', word: 'Never loaded' },
  { status: 'stale', word: 'Late' },
  { status: 'fresh', word: 'Fresh' },
];

export const statusWord = (status: string): string =>
  STATUSES.find((each) => each.status === status)?.word ?? status;

/** "219 sources are in use, 190 of them have data. By state: 150 fresh, 40 late, 29 never loaded." */
export function freshnessSentence({
  datasets,
  sourceCount,
}: Pick<DataFreshness, 'datasets' | 'sourceCount'>): string {
  if (datasets.length === 0) return 'No source is in use: every answer is unknown until one is.';
  const states = STATUSES.toReversed().flatMap(({ status, word }) => {
    const count = countOf(datasets, status);
    return count === 0 ? [] : [`${exact(count)} ${word.toLowerCase()}`];
  });
  const use = `${plural(datasets.length, 'source')} ${datasets.length === 1 ? 'is' : 'are'} in use`;
  const have = sourceCount === 1 ? 'has' : 'have';
  return `${use}, ${exact(sourceCount)} of them ${have} data. By state: ${states.join(', ')}.`;
}

export const countOf = (datasets: readonly DatasetStatus[], status: Status): number =>
  datasets.filter((dataset) => dataset.status === status).length;

/** The words of each cause for one source and for several. An unknown cause of a newer service is shown as sent. */
const CAUSES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  key: ['waits for a key', 'wait for a key'],
  refused: ['is refused by its publisher', 'are refused by their publishers'],
  gone: ['has moved or ended', 'have moved or ended'],
  busy: ['is asked too often', 'are asked too often'],
  publisher: ['has a publisher with a problem', 'have a publisher with a problem'],
  unreachable: ['cannot be reached', 'cannot be reached'],
  content: ['sent content that was not taken', 'sent content that was not taken'],
  'rolled-back': ['was rolled back', 'were rolled back'],
  ours: ['failed on our side', 'failed on our side'],
  waiting: ['waits for its first load', 'wait for their first load'],
  overdue: ['has not been asked for too long', 'have not been asked for too long'],
  old: ['has data that is too old', 'have data that is too old'],
  expired: ['is an own list that expired', 'are own lists that expired'],
};

/** "12 wait for a key, 3 cannot be reached." */
export function causeSentence(datasets: readonly Pick<DatasetStatus, 'cause'>[]): string {
  const counts = new Map<string, number>();
  for (const { cause } of datasets) if (cause !== null) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  const said = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([cause, count]) => `${exact(count)} ${CAUSES[cause]?.[count === 1 ? 0 : 1] ?? cause}`);
  return said.length === 0 ? '' : `${said.join(', ')}.`;
}

/** By how many days imports moved dates, in one sentence for the page: an import moves those of all its lists. */
export function movedSentence(datasets: readonly Pick<DatasetStatus, 'movedDays'>[]): string | null {
  const moved = datasets.flatMap(({ movedDays }) => (movedDays === 0 ? [] : [movedDays]));
  if (moved.length === 0) return null;
  const [least, most] = [Math.min(...moved), Math.max(...moved)];
  const by = least === most ? shift(least) : `between ${shift(least)} and ${shift(most)}`;
  const dates =
    moved.length === 1 ? 'The dates of 1 source were' : `The dates of ${exact(moved.length)} sources were`;
  return `${dates} moved by ${by} when they were imported.`;
}
const shift = (days: number): string => `${days > 0 ? '+' : '−'}${plural(Math.abs(days), 'day')}`;

/** The public summary of the same facts; the counts are those of every other page. */
export function publicSentence({ indicators, sourceCount, freshSourceCount }: PublicStats): string {
  if (sourceCount === 0) return 'No source has data yet: every answer is unknown until one has.';
  const fresh =
    freshSourceCount === sourceCount
      ? 'all of them as fresh as they promise'
      : `${exact(freshSourceCount)} of them as fresh as they promise, ${exact(sourceCount - freshSourceCount)} late`;
  return `${plural(sourceCount, 'source')} with data, ${fresh}. Together they list ${plural(indicators, 'indicator')}.`;
}

export function hours(count: number): string {
  if (count < 1) return `${Math.max(1, Math.round(count * 60))} min`;
  if (count < 48) return `${Math.round(count)} h`;
  const days = count / 24;
  return days < 90 ? `${Math.round(days)} d` : `${Math.round(days / 30)} months`;
}

export const ageSentence = ({ label, ageHours, slaHours }: DatasetStatus): string =>
  ageHours === null
    ? `${label} has no data; it may be ${hours(slaHours)} old.`
    : `${label} is ${hours(ageHours)} old and may be ${hours(slaHours)} old${ageHours > slaHours ? ': too old' : ''}.`;

/** The limit beside the age of a source: an own list has the end of its period, or none. */
export function limitWords({ ownList, expiresAt, slaHours }: DatasetStatus): string {
  if (ownList !== true) return `of ${hours(slaHours)}`;
  return expiresAt ? `own list, expires ${expiresAt.slice(0, 10)}` : 'own list, does not age';
}

const PARTS = [
  { id: 'api', label: 'API', without: 'does not answer' },
  {
    id: 'database',
    label: 'Database',
    without: 'away: saving and sign-in do not work, verdicts come from the local copy',
  },
  { id: 'redis', label: 'Counters', without: 'away: limits are counted locally and may refuse sooner' },
] as const;

export const healthRows = ({
  services,
}: Health): readonly { readonly label: string; readonly says: string }[] =>
  PARTS.map(({ id, label, without }) => ({
    label,
    says:
      services[id] === 'operational'
        ? 'working'
        : services[id] === 'down'
          ? without
          : 'working, but degraded',
  }));

export const tookFor = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
