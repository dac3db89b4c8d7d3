import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Listing, PastSpan, Source } from '#capabilities/corpus/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import { isActive, isThreat, knownSinceS, sightedAtS } from '#domain/scoring/index.ts';

/** A time during which one threat list named the indicator, a range around it or a domain above it. */
export type ListingSpan = {
  readonly source: Source;
  readonly firstMs: number;
  /** False: nothing dates the entry, and `firstMs` is the date of the data in which the list first had it. */
  readonly isStartKnown: boolean;
  /** When the list dropped it; of an open span the last sighting that the list states, else the date of its data. */
  readonly lastMs: number;
  readonly isOpen: boolean;
};

/** What one source says at a moment, over all its listings that bear on the indicator. */
type Accusation = {
  readonly source: Source;
  /** The earliest date that dates an entry; 0 if nothing dates one. */
  readonly knownS: number;
  readonly firstS: number;
  readonly sightedS: number;
};
type Accusations = ReadonlyMap<number, Accusation>;

type Window = { readonly fromMs: number; readonly nowMs: number; readonly turnsMax: number };

/**
 * Compares the accusing sources just before and just after each list change since `fromMs`: a source that lists both an
 * address and its range counts once, and switching a source off delists nothing. Spans that began earlier are included.
 */
export async function listingSpans(
  past: PastSpan,
  indicator: Indicator,
  { fromMs, nowMs, turnsMax }: Window,
): Promise<readonly ListingSpan[]> {
  const spans: ListingSpan[] = [];
  /** The moment at which the change was recorded, by source; null: it was listed when the record or the window began. */
  const open = new Map<number, number | null>();
  for (const number of accusationsAt(past, indicator, fromMs).keys()) open.set(number, null);
  const turns = past.turns.filter(({ atMs }) => atMs > fromMs && atMs <= nowMs).slice(-turnsMax);
  for (const { atMs, sourceNumbers } of turns) {
    const before = accusationsAt(past, indicator, atMs - 1);
    const after = accusationsAt(past, indicator, atMs);
    for (const number of sourceNumbers) {
      const [was, is] = [before.get(number), after.get(number)];
      if (was === undefined && is !== undefined) open.set(number, atMs);
      if (was !== undefined && is === undefined) {
        spans.push(spanOf(was, { recordedMs: open.get(number) ?? null, endMs: atMs, nowMs, earlier: spans }));
        open.delete(number);
      }
    }
    await nextTurn();
  }
  for (const [number, is] of accusationsAt(past, indicator, nowMs))
    spans.push(spanOf(is, { recordedMs: open.get(number) ?? null, endMs: null, nowMs, earlier: spans }));
  return spans.sort((a, b) => a.firstMs - b.firstMs || a.source.number - b.source.number);
}

type Bounds = {
  readonly recordedMs: number | null;
  /** Null: it is listed now. */
  readonly endMs: number | null;
  readonly nowMs: number;
  readonly earlier: readonly ListingSpan[];
};

function spanOf(
  { source, knownS, firstS, sightedS }: Accusation,
  { recordedMs, endMs, nowMs, earlier }: Bounds,
): ListingSpan {
  const before = earlier.findLast((span) => span.source.number === source.number);
  const endOrNowMs = endMs ?? nowMs;
  const statedMs = (knownS === 0 ? firstS : knownS) * 1_000;
  // A list may give an entry that returns its first date again; the entry was absent in between.
  const hasReturned = recordedMs !== null && before !== undefined && statedMs < before.lastMs;
  const firstMs = Math.min(hasReturned ? recordedMs : statedMs, endOrNowMs);
  const lastMs = endMs ?? Math.min((sightedS === 0 ? source.dataAtS : sightedS) * 1_000, nowMs);
  return {
    source,
    firstMs,
    isStartKnown: hasReturned || knownS > 0,
    lastMs: Math.max(firstMs, lastMs),
    isOpen: endMs === null,
  };
}

function accusationsAt(past: PastSpan, indicator: Indicator, atMs: number): Accusations {
  const found = new Map<number, Accusation>();
  for (const listing of past.corpusAt(atMs)?.lookup(indicator).listings ?? []) {
    if (!isThreat(listing) || !isActive(listing)) continue;
    const { number } = listing.source;
    found.set(number, joined(found.get(number), listing));
  }
  return found;
}

function joined(before: Accusation | undefined, listing: Listing): Accusation {
  const { source, firstSeenS } = listing;
  const [knownS, sightedS] = [knownSinceS(listing), sightedAtS(listing)];
  if (before === undefined) return { source, knownS, firstS: firstSeenS, sightedS };
  return {
    source,
    knownS: before.knownS === 0 || knownS === 0 ? before.knownS || knownS : Math.min(before.knownS, knownS),
    firstS: Math.min(before.firstS, firstSeenS),
    sightedS: Math.max(before.sightedS, sightedS),
  };
}
