import { type ReplayDeps, replayCorpus } from '#capabilities/corpus/index.ts';
import type { Enrichment } from '#capabilities/enrichment/index.ts';
import {
  type Assessment,
  asnListings,
  assess,
  createVerdictMemo,
  unwrapped,
} from '#capabilities/judging/index.ts';
import { ownWordAt } from '#capabilities/org-indicators/index.ts';
import type { Signals } from '#capabilities/signals/index.ts';
import { type Asn, hostOf, type Indicator } from '#domain/indicator/index.ts';
import type { WeightBook } from '#domain/weights/index.ts';
import type { Clock } from '#platform/clock.ts';
import { badRequest } from '#platform/errors.ts';
import type { Postgres } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { askTime } from './iso-time.ts';

export type AsOfDeps = ReplayDeps & {
  readonly postgres: Pick<Postgres, 'withAccount'>;
  readonly clock: Clock;
  readonly enrichment: Pick<Enrichment, 'bookAt'>;
  /** The foreseeing signals of a past moment; absent: they are left out of the score. */
  readonly signals?: Pick<Signals, 'bookAt'>;
  /** What lists of names were worth at a past moment, null where model 2 was in force. Absent: as the release says. */
  readonly weights?: { readonly bookAt: (ms: number) => Promise<WeightBook | null> };
};

/** History is kept so that any moment of the last 90 days can be judged again (ruling 12). */
export const REPLAY_DAYS_MAX = 90;

/** Repeats a check as of a past moment (O2), from the listings, sources and networks of that moment. */
export async function checkAsOf(
  deps: AsOfDeps,
  asked: Indicator,
  atMs: number,
  organizationId: string | null = null,
): Promise<Assessment> {
  const { inner: indicator, carrier } = unwrapped(asked);
  refuseUnknownTime(atMs, deps.clock.now());
  const book = await deps.enrichment.bookAt(atMs);
  const host = hostOf(indicator);
  const network = host?.kind === 'ip' ? book.networkOf(host) : null;
  const keys = network === null ? [indicator] : [indicator, asnIndicator(network.asn)];
  const corpus = await replayCorpus(deps, keys, atMs);
  if (corpus === null) throw refused('asOf is too early: no list was loaded at that time.');
  const answer = corpus.lookup(indicator);
  const signals = await deps.signals?.bookAt(atMs);
  const weights = await deps.weights?.bookAt(atMs);
  const own = organizationId === null ? null : await ownWordAt(deps, organizationId, indicator, atMs);
  return assess(createVerdictMemo(), indicator, {
    nowMs: atMs,
    answer,
    book,
    asnListing: asnListings(corpus),
    carrier,
    own,
    ...(signals !== undefined && { signals }),
    ...(weights !== undefined && { weights }),
  });
}

function refuseUnknownTime(atMs: number, nowMs: number): void {
  if (atMs > nowMs) throw refused(`asOf is in the future. ${askTime(nowMs)}`);
  if (nowMs - atMs > REPLAY_DAYS_MAX * DAY_MS)
    throw refused(
      `asOf is more than ${REPLAY_DAYS_MAX} days back, and older data is deleted. ${askTime(nowMs)}`,
    );
}

const refused = (message: string) => badRequest(message, [{ path: 'asOf', message }]);

const asnIndicator = (number: number): Asn => ({ kind: 'asn', value: `AS${number}`, number });
