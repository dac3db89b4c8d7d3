import { type ReplayDeps, replayCorpus } from '#capabilities/corpus/index.ts';
import type { Enrichment } from '#capabilities/enrichment/index.ts';
import { type Asn, hostOf, type Indicator } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import { badRequest } from '#platform/errors.ts';
import { postgresFailure } from '#platform/postgres.ts';
import { type Assessment, asnListings, assess } from './assess.ts';
import { createVerdictMemo } from './verdict-memo.ts';

export type AsOfDeps = ReplayDeps & {
  readonly clock: Clock;
  readonly enrichment: Pick<Enrichment, 'bookAt'>;
};

/** Ruling 12: history is kept so that any moment of the last 90 days can be judged again. */
export const REPLAY_DAYS_MAX = 90;
const DAY_MS = 86_400_000;

/** One check as it would have been answered then (O2): what was listed, by whom, in which networks, judged alike. */
export async function checkAsOf(deps: AsOfDeps, indicator: Indicator, atMs: number): Promise<Assessment> {
  refuseUnknownTime(atMs, deps.clock.now());
  const book = await deps.enrichment.bookAt(atMs).catch(rethrow);
  const host = hostOf(indicator);
  const network = host?.kind === 'ip' ? book.networkOf(host) : null;
  const asked = network === null ? [indicator] : [indicator, asnIndicator(network.asn)];
  const corpus = await replayCorpus(deps, asked, atMs).catch(rethrow);
  if (corpus === null)
    throw badRequest('Nothing is known of that time: this service had not loaded a list yet.');
  const answer = corpus.lookup(indicator);
  return assess(createVerdictMemo(), indicator, {
    nowMs: atMs,
    answer,
    book,
    asnListing: asnListings(corpus),
  });
}

function refuseUnknownTime(atMs: number, nowMs: number): void {
  if (atMs > nowMs) throw badRequest('asOf lies in the future.');
  if (nowMs - atMs > REPLAY_DAYS_MAX * DAY_MS)
    throw badRequest(
      `asOf lies more than ${REPLAY_DAYS_MAX} days back. What was known then is no longer kept.`,
    );
}

const asnIndicator = (number: number): Asn => ({ kind: 'asn', value: `AS${number}`, number });

const rethrow = (error: unknown): never => {
  throw postgresFailure(error);
};
