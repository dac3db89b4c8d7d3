import { microsOf } from '#domain/stix/index.ts';
import { badRequest } from '#platform/errors.ts';
import type { Collection } from './collections.ts';
import type { PageQuery } from './contract.ts';
import type { Walk, WalkFilters, WalkTokens } from './walk-token.ts';

/** The maximum of indicators on a page, and of keys examined for one request (contract 8.2). */
export const KEYS_EXAMINED_MAX = 8_000;
const LIMIT_DEFAULT = 50;
const PRO_LIMIT_MAX = 1_001;
/** Leaves room for a token of at most 8,000 base64 characters, with about 200 bytes beside the filters. */
const FILTER_BYTES_MAX = 5_500;

export type WalkAt = Pick<Walk, 'o' | 'q' | 'l' | 's'> & { readonly key: number | null };

/** The query parameter of each filter. */
const NAMES: Readonly<Record<keyof WalkFilters, string>> = {
  after: 'added_after',
  before: 'added_before',
  min: 'min_score',
  max: 'max_score',
  type: 'match[type]',
  id: 'match[id]',
  version: 'match[version]',
  spec: 'match[spec_version]',
  with: 'with',
};
const FILTERS = Object.keys(NAMES) as readonly (keyof WalkFilters)[];

export type WalkRules = {
  readonly tokens: WalkTokens;
  readonly collection: Collection;
  readonly isTaxii: boolean;
  /** The setting TAXII_ORDER (O9). */
  readonly order: 'accept' | 'newest';
  /** The newest date that was given out before the first page. */
  readonly startedUs: number;
};

/** The page that is asked for: the first one of a walk, or the one after a token. */
export function readWalk(query: PageQuery, rules: WalkRules): WalkAt {
  const filters = filtersOf(query, rules.isTaxii);
  if (query.next === undefined) {
    const isAscending = rules.isTaxii && rules.order === 'accept';
    const l = query.limit ?? LIMIT_DEFAULT;
    return { o: isAscending ? 'added' : 'created', q: filters, l, s: rules.startedUs, key: null };
  }
  const walk = rules.tokens.read(query.next);
  if (walk === null)
    throw badRequest(
      'next: this is not a token of this service. Send X-TAXII-Next of the last page as it came.',
    );
  if (walk.c !== rules.collection.id)
    throw badRequest(`next: this token continues a walk of '${walk.c}', not of '${rules.collection.id}'.`);
  for (const name of FILTERS)
    if (filters[name] !== undefined && filters[name] !== walk.q[name])
      throw badRequest(
        `${NAMES[name]}: a walk keeps the filters of its first page. Repeat its value, leave it out, or begin a new walk without next.`,
      );
  return { o: walk.o, q: walk.q, l: query.limit ?? walk.l, s: walk.s, key: walk.k };
}

function filtersOf(query: PageQuery, isTaxii: boolean): WalkFilters {
  const after = timeOf('added_after', query.added_after);
  const before = timeOf('added_before', query.added_before);
  const { min_score: min, max_score: max } = query;
  if (min !== undefined && max !== undefined && min > max)
    throw badRequest(`min_score: ${min} is more than max_score ${max}, so nothing can match.`);
  const matching = isTaxii
    ? {
        type: query['match[type]'],
        id: query['match[id]'],
        version: query['match[version]'],
        spec: query['match[spec_version]'],
      }
    : {};
  const given: Record<string, unknown> = { after, before, min, max, ...matching, with: query.with };
  const filters = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (Buffer.byteLength(JSON.stringify(filters)) > FILTER_BYTES_MAX)
    throw badRequest(
      `match: these filters take more than ${FILTER_BYTES_MAX} bytes, which no token of a next page can carry. Send fewer ids or versions.`,
    );
  return filters;
}

function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const micros = microsOf(text);
  if (micros === null || micros < 0)
    throw badRequest(`${name}: send an RFC 3339 time such as 2026-11-01T06:00:00Z.`);
  return micros;
}

/** One place of the limit is for the identity object; a page of limit 1 still has an indicator (trap 31). */
export function indicatorsOf(limit: number, plan: string): number {
  const most = plan === 'ENTERPRISE' ? KEYS_EXAMINED_MAX + 1 : PRO_LIMIT_MAX;
  return Math.max(1, Math.min(limit, most) - 1);
}
