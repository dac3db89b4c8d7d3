import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AsOfDeps,
  type Assessment,
  asnListings,
  assess,
  createVerdictMemo,
  isoOf,
  REPLAY_DAYS_MAX,
} from '#capabilities/check/index.ts';
import { type PastSpan, replaySpan } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK, type NetworkBook } from '#capabilities/enrichment/index.ts';
import type { Asn, Indicator } from '#domain/indicator/index.ts';
import { isActive, isThreat } from '#domain/scoring/index.ts';
import { postgresFailure } from '#platform/postgres.ts';
import { EVENTS_MAX, type Event, type HistoryQuery, type Point, type ReputationHistory } from './contract.ts';
import { trendOf } from './trend.ts';

const DAY_MS = 86_400_000;

/** How an address or a domain was judged on each day, and who began or ceased to list it. Nothing is invented. */
export async function tellHistory(
  deps: AsOfDeps,
  { indicator, days }: HistoryQuery,
): Promise<ReputationHistory> {
  const nowMs = deps.clock.now();
  const moments = momentsOf(nowMs, days);
  const books = await booksAt(deps, indicator, moments);
  const asns = new Set(
    [...books.values()].map((book) => asnOf(book, indicator)).filter((asn) => asn !== null),
  );
  const asked = [indicator, ...[...asns].map(asnIndicator)];
  const startMs = startOf(moments, nowMs);
  const span = await replaySpan(deps, asked, [startMs, ...moments]).catch((error: unknown) => {
    throw postgresFailure(error);
  });
  const assessments = await assessEach(span, indicator, books, moments);
  const points = assessments.map(pointOf);
  // What the first lists of all held is no event: nobody looked before.
  const sinceMs = Math.max(startMs, span.beganAtMs ?? nowMs);
  const turns = await listingEvents(span, indicator, sinceMs, nowMs);
  const retainedMs =
    span.beganAtMs === null ? null : Math.max(span.beganAtMs, nowMs - REPLAY_DAYS_MAX * DAY_MS);
  return {
    entity: indicator.value,
    type: indicator.kind,
    days,
    points,
    events: [...turns, ...levelEvents(assessments)].sort(byTime).slice(-EVENTS_MAX),
    ...sightingsOf(assessments),
    trend: trendOf(points.map(({ score }) => score)),
    retainedFrom: retainedMs === null ? null : isoOf(retainedMs),
  };
}

/** The end of each day in UTC, today this moment, as far back as anything is kept. */
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

/** Only an address lies in a network. */
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
  books: ReadonlyMap<number, NetworkBook>,
  moments: readonly number[],
): Promise<readonly Assessment[]> {
  const assessments: Assessment[] = [];
  for (const nowMs of moments) {
    const corpus = span.corpusAt(nowMs);
    if (corpus === null) continue;
    const answer = corpus.lookup(indicator);
    const book = books.get(nowMs) ?? EMPTY_BOOK;
    const moment = { nowMs, answer, book, asnListing: asnListings(corpus) };
    assessments.push(assess(createVerdictMemo(), indicator, moment));
    // Ninety verdicts in one go would keep every other caller of this process waiting.
    await nextTurn();
  }
  return assessments;
}

const pointOf = ({ nowMs, verdict }: Assessment): Point => ({
  date: isoOf(nowMs).slice(0, 10),
  score: verdict.riskScore.score,
  level: verdict.riskScore.level,
  blocklistHits: verdict.blocklistHits,
  malicious: verdict.malicious,
});

/**
 * Who accuses it, just before a list changed and just after: a source that lists both an address and its range has one
 * opinion, and one that an operator switches off has delisted nothing.
 */
async function listingEvents(
  span: PastSpan,
  indicator: Indicator,
  sinceMs: number,
  nowMs: number,
): Promise<readonly Event[]> {
  const events: Event[] = [];
  const turns = span.turns.filter(({ atMs }) => atMs > sinceMs && atMs <= nowMs).slice(-EVENTS_MAX);
  for (const { atMs, sourceNumbers } of turns) {
    const before = accusersAt(span, indicator, atMs - 1);
    const after = accusersAt(span, indicator, atMs);
    const at = isoOf(atMs);
    for (const number of sourceNumbers) {
      const [was, is] = [before.get(number), after.get(number)];
      if (was === undefined && is !== undefined) events.push({ at, type: 'listed', source: is });
      if (was !== undefined && is === undefined) events.push({ at, type: 'delisted', source: was });
    }
    await nextTurn();
  }
  return events;
}

/** Names by number of the threat lists that name it, a range around it or a domain above it. */
function accusersAt(span: PastSpan, indicator: Indicator, atMs: number): ReadonlyMap<number, string> {
  const listings = span.corpusAt(atMs)?.lookup(indicator).listings ?? [];
  return new Map(
    listings
      .filter((listing) => isThreat(listing) && isActive(listing))
      .map(({ source }) => [source.number, source.name]),
  );
}

function levelEvents(assessments: readonly Assessment[]): readonly Event[] {
  return assessments.flatMap(({ nowMs, verdict }, index): Event[] => {
    const from = assessments[index - 1]?.verdict.riskScore.level;
    const to = verdict.riskScore.level;
    return from === undefined || from === to ? [] : [{ at: isoOf(nowMs), type: 'score_changed', from, to }];
  });
}

const byTime = (a: Event, b: Event): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

/** When those that accuse it saw it, over the whole span. */
function sightingsOf(assessments: readonly Assessment[]): Pick<ReputationHistory, 'firstSeen' | 'lastSeen'> {
  let [firstS, lastS] = [Number.POSITIVE_INFINITY, 0];
  for (const { listings } of assessments)
    for (const listing of listings) {
      if (!isThreat(listing) || !isActive(listing)) continue;
      if (listing.firstSeenS > 0) firstS = Math.min(firstS, listing.firstSeenS);
      lastS = Math.max(lastS, listing.lastSeenS);
    }
  return {
    firstSeen: Number.isFinite(firstS) ? isoOf(firstS * 1_000) : null,
    lastSeen: lastS === 0 ? null : isoOf(lastS * 1_000),
  };
}
