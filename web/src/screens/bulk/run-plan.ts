import { exact, plural } from '../../words/numbers.ts';
import type { Preview, SentKind } from './preview.ts';
import { pastedWords, type Tally } from './tally.ts';

/** The server accepts 1 MiB; the rest is for the JSON around the entities. */
const BODY_BYTES_MAX = 1_000_000;

export type RunPlan = {
  readonly entities: readonly string[];
  readonly tally: Tally;
};

/** The service compares entities in lower case and sends no row for a second spelling, so it is left out here. */
export function planOf(preview: Preview, leftOut: ReadonlySet<SentKind>): RunPlan {
  const bySpelling = new Map<string, string>();
  for (const { kind, values } of preview.groups)
    if (!leftOut.has(kind))
      for (const value of values) {
        const spelling = value.toLowerCase();
        if (!bySpelling.has(spelling)) bySpelling.set(spelling, value);
      }
  const entities = [...bySpelling.values()];
  return { entities, tally: tallyOf(preview, leftOut, entities.length) };
}

/** Counts so that pasted = sent + skipped + duplicates. */
function tallyOf(
  { groups, reserved, ranges, rejected }: Preview,
  leftOut: ReadonlySet<SentKind>,
  sent: number,
): Tally {
  const skipped = [
    { why: 'private', count: reserved.total },
    { why: ranges.total === 1 ? 'range' : 'ranges', count: ranges.total },
    { why: 'not readable', count: rejected.total },
    {
      why: 'not ticked',
      count: groups.reduce((sum, { kind, values }) => sum + (leftOut.has(kind) ? values.length : 0), 0),
    },
  ].filter(({ count }) => count > 0);
  const pasted = [...groups, reserved, ranges, rejected].reduce(
    (sum, { occurrences }) => sum + occurrences,
    0,
  );
  const apart = skipped.reduce((sum, { count }) => sum + count, 0);
  return { pasted, duplicates: pasted - apart - sent, skipped };
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

/** Before the run: "212 pasted, 9 duplicates, 3 private: 200 to check, 3 requests, uses 200 of 7,311 checks left". */
export function truthOf({ entities, tally }: RunPlan, { cap, left }: Allowance): string {
  const uses = exact(entities.length);
  return [
    `${pastedWords(tally)}: ${uses} to check`,
    ...(cap === null ? [] : [plural(requestsFor(entities, cap), 'request')]),
    left === null
      ? `uses ${plural(entities.length, 'check')}`
      : `uses ${uses} of ${plural(left, 'check')} left`,
  ].join(', ');
}

/**
 * A sentence when the run needs more checks than are left: the service refuses such a request as a whole. Null when
 * unknown.
 */
export function shortfallOf({ entities }: RunPlan, { left }: Allowance): string | null {
  if (left === null || entities.length <= left) return null;
  return left === 0
    ? 'No checks are left this month. The service will refuse this.'
    : `That is ${exact(entities.length - left)} more than are left this month. The run stops where they end; what came before stays.`;
}
