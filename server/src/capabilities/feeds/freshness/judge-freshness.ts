import type { Source } from '#capabilities/corpus/index.ts';
import { expiresAtS, isOwnList, stalenessOf } from '#domain/scoring/index.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { type Cause, causeOf, withoutContent } from './cause.ts';
import type { Freshness } from './states.ts';

export type FeedState = {
  readonly sourceNumber: number;
  /** When the worker plans the next run; null: never planned. */
  readonly nextRunAtMs: number | null;
  /** Why the last attempt brought no content; null after a good one. */
  readonly problem: string | null;
  readonly rebaseMs: number;
  readonly quarantine: {
    readonly reason: string;
    /** False: a web page or a truncated file, which cannot be released. */
    readonly isReleasable: boolean;
  } | null;
};

export type Judgement = {
  readonly status: Freshness;
  readonly cause: Cause | null;
  /** The sentence that all sources of the same cause share, or the one of this source; null when it is fresh. */
  readonly reason: string | null;
  /** One sentence for the operator; null when there is nothing to report. */
  readonly message: string | null;
  readonly isOverdue: boolean;
};

/** A run may wait for a free worker; a longer delay means that no worker runs. */
const LATE_MS = 2 * HOUR_MS;

/** Enabled sources that are fetched or have content. The rest of the registry is not a data set. */
export const isInUse = ({ enabled, scheduled, entries, dataAtS }: Source): boolean =>
  enabled && (scheduled || entries > 0 || dataAtS > 0);

const NEVER_LOADED = 'It has never been loaded.';
const NOT_ASKED = 'It is scheduled, but its publisher has not been asked for too long.';
const TOO_OLD = 'Its data is older than the interval it promises allows.';

/** The worst status that applies: never loaded, then failing, then too old or overdue. */
export function judgeFreshness(source: Source, state: FeedState | undefined, nowMs: number): Judgement {
  // The problem ends with the content that stays listed; `withoutContent` removes that from the shared reason.
  const problem = state?.problem ?? state?.quarantine?.reason ?? null;
  const isOverdue = overdue(source, state, nowMs);
  const { isStale, staleAfterMs } = stalenessOf(source, nowMs);
  const moved = rebaseSentence(state?.rebaseMs ?? 0);
  const say = (status: Freshness, sentence: string | null, shared = sentence): Judgement => ({
    status,
    cause: isStale && isOwnList(source) ? 'expired' : causeOf(status, problem, isOverdue && !isStale),
    reason: shared,
    message: source.dataAtS === 0 ? sentence : joined(sentence ?? ownSentence(source, nowMs), moved),
    isOverdue,
  });
  if (problem !== null)
    return say(source.dataAtS === 0 ? 'missing' : 'failing', problem, withoutContent(problem));
  if (source.dataAtS === 0) return say('missing', NEVER_LOADED);
  if (isStale && isOwnList(source)) return say('stale', expiredSentence(source), EXPIRED);
  if (isStale) return say('stale', `Its data is older than ${days(staleAfterMs)}.`, TOO_OLD);
  return isOverdue ? say('stale', NOT_ASKED) : say('fresh', null);
}

const EXPIRED = 'Its period is over, so its entries no longer count.';

/** An own list is not late: the sentence states what it is and until when it counts (O81). */
function ownSentence(source: Source, nowMs: number): string | null {
  if (!isOwnList(source)) return null;
  const endsAtS = expiresAtS(source);
  const until =
    endsAtS === null ? 'It does not age and does not expire.' : `It counts fully until ${dayOf(endsAtS)}.`;
  return `Your own list, imported ${days(nowMs - source.lastFetchAtS * 1_000)} ago. ${until}`;
}

const expiredSentence = (source: Source): string =>
  `Your own list expired on ${dayOf(expiresAtS(source) ?? 0)}, ${days((source.expiresDays ?? 0) * DAY_MS)} after its import, so its entries no longer count. Import it again to use it.`;

const dayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);

const overdue = ({ scheduled }: Source, state: FeedState | undefined, nowMs: number): boolean =>
  scheduled && (state?.nextRunAtMs ?? null) !== null && nowMs - (state?.nextRunAtMs ?? 0) > LATE_MS;

/** Moved dates are always shown with this sentence. */
function rebaseSentence(rebaseMs: number): string | null {
  if (rebaseMs === 0) return null;
  const direction = rebaseMs > 0 ? 'forward' : 'back';
  return `Its dates were moved ${direction} by ${days(Math.abs(rebaseMs))} when it was imported.`;
}

function days(ms: number): string {
  const count = Math.round(ms / DAY_MS);
  return count === 1 ? '1 day' : `${count} days`;
}

const joined = (...sentences: readonly (string | null)[]): string | null =>
  sentences.filter((sentence) => sentence !== null).join(' ') || null;
