import { exact, plural } from '../../words/numbers.ts';
import type { Preview, SentKind } from './preview.ts';

/** The server accepts 1 MiB; the rest is for the JSON around the entities. */
const BODY_BYTES_MAX = 1_000_000;

export type RunPlan = {
  readonly entities: readonly string[];
  readonly occurrences: number;
};

/** The service compares entities in lower case, so a second spelling would get no row and is left out here. */
export function planOf({ groups }: Preview, leftOut: ReadonlySet<SentKind>): RunPlan {
  const sent = groups.filter(({ kind }) => !leftOut.has(kind));
  const bySpelling = new Map<string, string>();
  for (const { values } of sent)
    for (const value of values) {
      const spelling = value.toLowerCase();
      if (!bySpelling.has(spelling)) bySpelling.set(spelling, value);
    }
  return {
    entities: [...bySpelling.values()],
    occurrences: sent.reduce((sum, { occurrences }) => sum + occurrences, 0),
  };
}

export function batchAt(entities: readonly string[], from: number, cap: number): readonly string[] {
  const encoder = new TextEncoder();
  const most = Math.max(1, cap);
  let bytes = 0;
  let end = from;
  while (end < entities.length && end - from < most) {
    bytes += encoder.encode(JSON.stringify(entities[end])).length + 1;
    if (bytes > BODY_BYTES_MAX && end > from) break;
    end += 1;
  }
  return entities.slice(from, end);
}

export function requestsFor(entities: readonly string[], cap: number): number {
  let requests = 0;
  for (let from = 0; from < entities.length; requests += 1) from += batchAt(entities, from, cap).length;
  return requests;
}

export type Allowance = { readonly cap: number | null; readonly left: number | null };

/** The cost before the run: "212 indicators, 9 duplicates removed, 3 requests, uses 203 of 7,311 checks left". */
export function truthOf({ entities, occurrences }: RunPlan, { cap, left }: Allowance): string {
  const duplicates = occurrences - entities.length;
  const uses = exact(entities.length);
  return [
    plural(occurrences, 'indicator'),
    ...(duplicates > 0 ? [`${plural(duplicates, 'duplicate')} removed`] : []),
    ...(cap === null ? [] : [plural(requestsFor(entities, cap), 'request')]),
    left === null
      ? `uses ${plural(entities.length, 'check')}`
      : `uses ${uses} of ${plural(left, 'check')} left`,
  ].join(', ');
}

/**
 * The service refuses a request that costs more than is left as a whole. Null when enough is left, or when that is
 * unknown.
 */
export function shortfallOf({ entities }: RunPlan, { left }: Allowance): string | null {
  if (left === null || entities.length <= left) return null;
  return left === 0
    ? 'No checks are left this month. The service will refuse this.'
    : `That is ${exact(entities.length - left)} more than are left this month. The run stops where they end; what came before stays.`;
}
