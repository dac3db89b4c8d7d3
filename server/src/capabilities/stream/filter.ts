/** The types of contract 6.2. */
export const TYPES = [
  'threat.new',
  'threat.updated',
  'reputation.changed',
  'ioc.published',
  'watchlist.alert',
] as const;

/** In rising order. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The severity of an event is its level; what is safe, inconclusive or not judged is low (O40). */
export const severityOf = (level: string | null): Severity =>
  SEVERITIES.find((severity) => severity === level) ?? 'low';

export type Filter = {
  /** Empty: all. */
  readonly types: readonly string[];
  /** The index in SEVERITIES of the lowest severity to send. */
  readonly severity: number;
  /** Lower case; empty: all. */
  readonly categories: readonly string[];
};

/** The fields of an event that a filter compares. An event for every reader, such as a gap, has no types. */
export type Filtered = {
  readonly types: readonly string[];
  readonly severity: number;
  /** Lower case. */
  readonly categories: readonly string[];
};

export function matches(filter: Filter, event: Filtered): boolean {
  if (event.types.length === 0) return true;
  if (event.severity < filter.severity) return false;
  if (filter.types.length > 0 && !event.types.some((type) => filter.types.includes(type))) return false;
  return filter.categories.length === 0 || event.categories.some((each) => filter.categories.includes(each));
}

/** A canonical text of a filter, because readers with equal filters are served together. */
export const filterKey = ({ types, severity, categories }: Filter): string =>
  `${severity} ${[...new Set(types)].sort().join(',')} ${[...new Set(categories)].sort().join(',')}`;
