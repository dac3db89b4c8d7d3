import { exact, plural } from '../../words/numbers.ts';
import type { Preview, SentKind } from './preview.ts';

/** The body of a request may have 1 MiB; some is left for what is around the entities. */
const BODY_BYTES_MAX = 1_000_000;

export type RunPlan = {
  /** What will be sent, each once. */
  readonly entities: readonly string[];
  /** How often these stand in the text. */
  readonly occurrences: number;
};

/** Groups in the order of the preview. The service tells entities apart in lower case, so the second spelling would get no row. */
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

/** The next request: as many as the plan and the size of a body allow. */
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

/** What is known of the caller's plan; null where it is not. */
export type Allowance = { readonly cap: number | null; readonly left: number | null };

/** One line of truth before anything is spent: "212 indicators, 9 duplicates removed, 3 requests, uses 203 of 7,311 checks left". */
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

/** A request that costs more than is left is refused whole. Null when there is enough, or nobody knows. */
export function shortfallOf({ entities }: RunPlan, { left }: Allowance): string | null {
  if (left === null || entities.length <= left) return null;
  return left === 0
    ? 'No checks are left this month. The service will refuse this.'
    : `That is ${exact(entities.length - left)} more than are left this month. The run stops where they end; what came before stays.`;
}
