import { setImmediate as nextTurn } from 'node:timers/promises';
import { type PastSpan, replaySpan } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK, type NetworkBook } from '#capabilities/enrichment/index.ts';
import {
  type Assessment,
  asnListings,
  assess,
  createVerdictMemo,
  type Moment,
  unwrapped,
} from '#capabilities/judging/index.ts';
import { ownWordsAt } from '#capabilities/org-indicators/index.ts';
import { NO_SIGNAL_BOOK } from '#capabilities/signals/index.ts';
import type { Asn, Indicator } from '#domain/indicator/index.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { type AsOfDeps, REPLAY_DAYS_MAX } from './check-as-of.ts';

/** One indicator over the last days, each judged from the listings of that day by the rules of today. */
export type Past = {
  /** What was judged: of an address of NAT64, 6to4 or Teredo the IPv4 address inside. */
  readonly indicator: Indicator;
  readonly nowMs: number;
  readonly startMs: number;
  readonly span: PastSpan;
  /** One per recorded day, oldest first, judged as of the end of the day in UTC; the last one is of this moment. */
  readonly assessments: readonly Assessment[];
};

/**
 * The last assessment is what a check of the same moment answers without live lookups. Past days have the signals and weights of today,
 * like the other rules, and what the organization of the caller said then.
 */
export async function judgePast(
  deps: AsOfDeps,
  given: Indicator,
  days: number,
  organizationId: string | null = null,
): Promise<Past> {
  const { inner: indicator, carrier } = unwrapped(given);
  const nowMs = deps.clock.now();
  const moments = momentsOf(nowMs, days);
  const books = await booksAt(deps, indicator, moments);
  const asns = new Set(
    [...books.values()].map((book) => asnOf(book, indicator)).filter((asn) => asn !== null),
  );
  const asked = [indicator, ...[...asns].map(asnIndicator)];
  const startMs = startOf(moments, nowMs);
  const span = await replaySpan(deps, asked, [startMs, ...moments]);
  const signals = (await deps.signals?.bookAt(nowMs)) ?? NO_SIGNAL_BOOK;
  const weights = await deps.weights?.bookAt(nowMs);
  const own = organizationId === null ? null : await ownWordsAt(deps, organizationId, indicator, moments);
  const judged = await assessEach(span, indicator, moments, (nowMs) => ({
    book: books.get(nowMs) ?? EMPTY_BOOK,
    signals,
    ...(weights !== undefined && { weights }),
    carrier,
    own: own?.(nowMs) ?? null,
  }));
  return { indicator, nowMs, startMs, span, assessments: judged };
}

function momentsOf(nowMs: number, days: number): readonly number[] {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const moments: number[] = [];
  for (let back = days - 1; back >= 0; back -= 1) {
    const endMs = today - back * DAY_MS + DAY_MS - 1;
    if (nowMs - endMs <= REPLAY_DAYS_MAX * DAY_MS) moments.push(Math.min(endMs, nowMs));
  }
  return moments;
}

const startOf = (moments: readonly number[], nowMs: number): number =>
  Math.max(Math.floor((moments[0] ?? nowMs) / DAY_MS) * DAY_MS, nowMs - REPLAY_DAYS_MAX * DAY_MS);

async function booksAt(
  { enrichment }: AsOfDeps,
  { kind }: Indicator,
  moments: readonly number[],
): Promise<ReadonlyMap<number, NetworkBook>> {
  const books = new Map<number, NetworkBook>();
  if (kind === 'ip') for (const atMs of moments) books.set(atMs, await enrichment.bookAt(atMs));
  return books;
}

const asnOf = (book: NetworkBook, indicator: Indicator): number | null =>
  indicator.kind === 'ip' ? (book.networkOf(indicator)?.asn ?? null) : null;

const asnIndicator = (number: number): Asn => ({ kind: 'asn', value: `AS${number}`, number });

async function assessEach(
  span: PastSpan,
  indicator: Indicator,
  moments: readonly number[],
  knownAt: (nowMs: number) => Pick<Moment, 'book' | 'signals' | 'weights' | 'carrier' | 'own'>,
): Promise<readonly Assessment[]> {
  const assessments: Assessment[] = [];
  for (const nowMs of moments) {
    const corpus = span.corpusAt(nowMs);
    if (corpus === null) continue;
    const answer = corpus.lookup(indicator);
    const moment = { ...knownAt(nowMs), nowMs, answer, asnListing: asnListings(corpus) };
    assessments.push(assess(createVerdictMemo(), indicator, moment));
    // Judging ninety days at once would block every other request of this process.
    await nextTurn();
  }
  return assessments;
}
