import { duration } from '#domain/text/duration.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { plainReason } from './plain-reason.ts';
import { nextScheduledMs, type PublicationName } from './schedule.ts';
import type { Publication } from './store.ts';

/** How far the scoring is that every publication waits for. */
export type Scoring = {
  /** Entries of all sources; 0: nothing is imported. */
  readonly entries: number;
  readonly isCurrent: boolean;
  /** Indicators read since the worker began to catch up. */
  readonly done: number;
};

/** A publication as people see it. */
export type PublicationReport = {
  readonly name: PublicationName;
  readonly label: string;
  readonly status: 'current' | 'late' | 'missing' | 'failing';
  readonly currentAtMs: number | null;
  readonly entries: number;
  /** Why it is missing, late or failing; null when it is current. */
  readonly message: string | null;
  readonly nextTryMs: number;
};

export const LABELS: Readonly<Record<PublicationName, string>> = {
  blocklists: 'Blocklists',
  taxii: 'TAXII collections',
  mmdb: 'Address database',
};

/** Every publication is built or confirmed at least every ten minutes, so after an hour something is wrong. */
export const LATE_AFTER_MS = HOUR_MS;

/** The publications that should be there; none while nothing is imported. */
export const describePublications = (
  publications: readonly Publication[],
  scoring: Scoring,
  nowMs: number,
): readonly PublicationReport[] =>
  publications
    .filter(({ isExpected }) => isExpected || scoring.entries > 0)
    .map((publication) => describePublication(publication, scoring, nowMs));

export function describePublication(
  publication: Publication,
  scoring: Scoring,
  nowMs: number,
): PublicationReport {
  const { name, currentAtMs } = publication;
  const status = statusOf(publication, nowMs);
  return {
    name,
    label: LABELS[name],
    status,
    currentAtMs,
    entries: publication.entries ?? 0,
    message: status === 'current' ? null : messageOf(publication, scoring, nowMs),
    nextTryMs: nextTryMs(publication, nowMs),
  };
}

function statusOf({ currentAtMs, outcome }: Publication, nowMs: number): PublicationReport['status'] {
  if (currentAtMs === null) return 'missing';
  if (outcome === 'failed' || outcome === 'held') return 'failing';
  return nowMs - currentAtMs > LATE_AFTER_MS ? 'late' : 'current';
}

const nextTryMs = ({ name, retryAtMs }: Publication, nowMs: number): number =>
  Math.min(
    retryAtMs !== null && retryAtMs > nowMs ? retryAtMs : Number.POSITIVE_INFINITY,
    nextScheduledMs(name, nowMs),
  );

/** The next scheduled time is missed by this much where no worker runs. */
const SILENT_MS = 2 * HOUR_MS;

function messageOf(publication: Publication, scoring: Scoring, nowMs: number): string {
  const { outcome, message, triedAtMs } = publication;
  const next = `The next try is at ${timeOf(nextTryMs(publication, nowMs))}.`;
  if (outcome === 'held') return `${message ?? 'The last build lost half of its entries.'}`;
  if (outcome === 'failed') return `The last build failed: ${plainReason(message ?? '')}. ${next}`;
  if (triedAtMs !== null && nowMs - triedAtMs > SILENT_MS)
    return `The last try was ${duration(nowMs - triedAtMs)} ago. Is the worker process running?`;
  if (scoring.entries === 0)
    return publication.isExpected
      ? 'A first import is under way.'
      : 'Nothing is imported yet. Import a list (npm run admin -- feeds import my-list FILE), or let the worker download the public ones.';
  if (!scoring.isCurrent)
    return `Not every indicator has a score yet: ${count(scoring.done)} of at most ${count(scoring.entries)} read. It is built once they all have one.`;
  if (triedAtMs === null) return `The worker process has not built it yet. ${next}`;
  return `${message ?? 'It is being built.'} ${next}`;
}

const count = (value: number): string => value.toLocaleString('en-US');

const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(11, 19)} UTC`;
