import type { DataFreshness, DatasetStatus, Health } from '@assay/sdk';
import { plural } from '../../words/numbers.ts';

export type Status = DatasetStatus['status'];

/** Worst first, the order in which the service sends data sets. */
export const STATUSES: readonly { readonly status: Status; readonly word: string }[] = [
  { status: 'failing', word: 'Failing' },
  { status: 'missing', word: 'Not loaded' },
  { status: 'stale', word: 'Stale' },
  { status: 'fresh', word: 'Fresh' },
];

export const statusWord = (status: string): string =>
  STATUSES.find((each) => each.status === status)?.word ?? status;

/** "150 of 248 data sets are fresh; 23 failing, 29 not loaded." */
export function freshnessSentence({ datasets }: Pick<DataFreshness, 'datasets'>): string {
  if (datasets.length === 0) return 'No data set is in use: every answer is unknown until one is.';
  const fresh = datasets.filter(({ status }) => status === 'fresh').length;
  const rest = STATUSES.filter(({ status }) => status !== 'fresh').flatMap(({ status, word }) => {
    const count = datasets.filter((dataset) => dataset.status === status).length;
    return count === 0 ? [] : [`${count} ${word.toLowerCase()}`];
  });
  const head = `${fresh} of ${plural(datasets.length, 'data set')} ${fresh === 1 ? 'is' : 'are'} fresh`;
  return rest.length === 0 ? `${head}.` : `${head}; ${rest.join(', ')}.`;
}

export const countOf = (datasets: readonly DatasetStatus[], status: Status): number =>
  datasets.filter((dataset) => dataset.status === status).length;

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
