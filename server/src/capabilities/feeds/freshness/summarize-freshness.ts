import { PUBLICATION } from '#capabilities/datasets/index.ts';
import type { DataFreshness } from './contract.ts';
import type { Freshness } from './states.ts';

/** The state of the loaded data as /health tells it. */
export type DataHealth = {
  readonly status: DataFreshness['overallStatus'];
  readonly message: string;
  /** Labels of what is published for download and is late, failing or missing. */
  readonly late: string[];
};

const MESSAGE_MAX = 500;

/** The words of each state that is not fresh. */
const WORDS: readonly (readonly [status: Freshness, words: string])[] = [
  ['failing', 'failing'],
  ['missing', 'never loaded'],
  ['stale', 'out of date'],
];

/** The freshness report in a few sentences that name no source, because everybody may read them. */
export function summarizeFreshness({ datasets, overallStatus }: DataFreshness): DataHealth {
  if (datasets.length === 0) return { status: overallStatus, message: 'No data is loaded.', late: [] };
  const isExpired = ({ cause }: DataFreshness['datasets'][number]): boolean => cause === 'expired';
  const states = WORDS.flatMap(([status, words]) => {
    const many = datasets.filter((each) => each.status === status && !isExpired(each)).length;
    return many === 0 ? [] : [`${many} ${words}`];
  });
  const expired = datasets.filter(isExpired);
  const own = datasets.filter((each) => each.ownList === true && !isExpired(each)).length;
  const last = expired.map(({ expiresAt }) => expiresAt?.slice(0, 10) ?? '').sort();
  const all = `${countOf(datasets.length, 'data set is', 'data sets are')} in use`;
  const sentences = [
    states.length + expired.length === 0 ? `${all}, all up to date.` : `${[all, ...states].join(', ')}.`,
    ...(own === 0 ? [] : [`${countOf(own, 'own list does', 'own lists do')} not age.`]),
    ...(expired.length === 0
      ? []
      : [
          `${countOf(expired.length, 'own list', 'own lists')} expired, the last on ${last.at(-1)}: the entries no longer count until the list is imported again.`,
        ]),
  ];
  const late = datasets.filter(({ category, status }) => category === PUBLICATION && status !== 'fresh');
  return {
    status: overallStatus,
    message: sentences
      .concat(late.map(({ label, message }) => `${label}: ${message ?? 'not up to date.'}`))
      .join(' ')
      .slice(0, MESSAGE_MAX),
    late: late.map(({ id }) => id),
  };
}

const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
