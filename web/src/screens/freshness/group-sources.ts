import type { DatasetStatus } from '@assay/sdk';
import { plural } from '../../words/numbers.ts';
import { causeSentence, STATUSES, type Status } from './freshness-words.ts';

/** The reader's choice of sources. All of it is in the address, so that a link shows the same. */
export type SourceFilter = {
  readonly text: string;
  readonly status: Status | null;
  readonly kind: string | null;
};

export const NO_FILTER: SourceFilter = { text: '', status: null, kind: null };

type Search = Readonly<Record<string, string | undefined>>;

/** A status or kind that no source has is kept: the page then says that nothing matches. */
export function filterOf({ q = '', state, kind }: Search): SourceFilter {
  const status = STATUSES.find((each) => each.status === state)?.status ?? null;
  return { text: q, status, kind: kind ?? null };
}

export const searchOf = ({ text, status, kind }: SourceFilter): Search => ({
  q: text === '' ? undefined : text,
  state: status ?? undefined,
  kind: kind ?? undefined,
});

type Kinded = Pick<DatasetStatus, 'category' | 'threatClass'>;

/** The kind of a source: the category of a threat list, for other lists the threat class. */
export const kindOf = ({ category, threatClass }: Kinded): string =>
  threatClass === 'threat' ? category : threatClass;

const KINDS: Readonly<Record<string, string>> = {
  allowlist: 'Known-good and popularity lists',
  infrastructure: 'Infrastructure: what an address is',
  policy: 'Policy lists',
};
export const kindWord = (kind: string): string => {
  const word = KINDS[kind] ?? kind.replaceAll('-', ' ');
  return word.slice(0, 1).toUpperCase() + word.slice(1);
};

export type KindCount = { readonly kind: string; readonly word: string; readonly count: number };

export function kindsOf(datasets: readonly Kinded[]): readonly KindCount[] {
  return [...Map.groupBy(datasets, kindOf)]
    .map(([kind, of]) => ({ kind, word: kindWord(kind), count: of.length }))
    .toSorted((a, b) => (a.word < b.word ? -1 : 1));
}

/** Every word must occur in the name, the id or the kind. */
export function matching(
  datasets: readonly DatasetStatus[],
  { text, status, kind }: SourceFilter,
): readonly DatasetStatus[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return datasets.filter((dataset) => {
    if (status !== null && dataset.status !== status) return false;
    if (kind !== null && kindOf(dataset) !== kind) return false;
    const said = `${dataset.label} ${dataset.id} ${kindWord(kindOf(dataset))}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

/** Sources that share the reason of their status; fresh sources share a kind instead. */
export type SourceGroup = {
  readonly id: string;
  readonly heading: string;
  readonly datasets: readonly DatasetStatus[];
};
export type StatusGroup = {
  readonly status: Status;
  readonly count: number;
  /** The causes with their counts; empty for a single group, whose heading says the cause. */
  readonly summary: string;
  readonly groups: readonly SourceGroup[];
};

/** Groups by status, the worst first, then by reason, so that each reason is written once; fresh sources by kind. */
export function groupSources(datasets: readonly DatasetStatus[]): readonly StatusGroup[] {
  return STATUSES.flatMap(({ status }) => {
    const of = datasets.filter((dataset) => dataset.status === status);
    if (of.length === 0) return [];
    const groups = status === 'fresh' ? byKind(of) : byReason(of);
    const summary = groups.length === 1 ? '' : causeSentence(of);
    return [{ status, count: of.length, summary, groups }];
  });
}

/** The largest groups first: one action may repair many sources. */
const byReason = (datasets: readonly DatasetStatus[]): readonly SourceGroup[] =>
  [...Map.groupBy(datasets, ({ reason, message }) => reason ?? message ?? '')]
    .toSorted(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
    .map(([reason, of]) => ({
      id: reason,
      heading: of.length === 1 ? reason : `${plural(of.length, 'source')}: ${reason}`,
      datasets: inOrder(of),
    }));

const byKind = (datasets: readonly DatasetStatus[]): readonly SourceGroup[] =>
  kindsOf(datasets).map(({ kind, word, count }) => ({
    id: kind,
    heading: `${word}, ${plural(count, 'source')}`,
    datasets: inOrder(datasets.filter((dataset) => kindOf(dataset) === kind)),
  }));

const inOrder = (datasets: readonly DatasetStatus[]): readonly DatasetStatus[] =>
  datasets.toSorted((a, b) => a.label.localeCompare(b.label, 'en'));
