import { type ReplayDeps, replayCorpus } from '#capabilities/corpus/index.ts';
import type { Enrichment } from '#capabilities/enrichment/index.ts';
import { type Asn, hostOf, type Indicator } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import { badRequest } from '#platform/errors.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { type Assessment, asnListings, assess } from './assess.ts';
import { createVerdictMemo } from './verdict-memo.ts';

export type AsOfDeps = ReplayDeps & {
  readonly clock: Clock;
  readonly enrichment: Pick<Enrichment, 'bookAt'>;
};

/** History is kept so that any moment of the last 90 days can be judged again (ruling 12). */
export const REPLAY_DAYS_MAX = 90;

/** Repeats a check as of a past moment (O2), from the listings, sources and networks of that moment. */
export async function checkAsOf(deps: AsOfDeps, indicator: Indicator, atMs: number): Promise<Assessment> {
  refuseUnknownTime(atMs, deps.clock.now());
  const book = await deps.enrichment.bookAt(atMs);
  const host = hostOf(indicator);
  const network = host?.kind === 'ip' ? book.networkOf(host) : null;
  const asked = network === null ? [indicator] : [indicator, asnIndicator(network.asn)];
  const corpus = await replayCorpus(deps, asked, atMs);
  if (corpus === null) throw badRequest('asOf is too early: no list was loaded at that time.');
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
    throw badRequest(`asOf lies more than ${REPLAY_DAYS_MAX} days back. Older data is deleted.`);
}

const asnIndicator = (number: number): Asn => ({ kind: 'asn', value: `AS${number}`, number });
