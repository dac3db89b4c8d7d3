import type { Source } from '#capabilities/corpus/index.ts';
import { stalenessOf } from '../pipeline/staleness.ts';

/** What the pipeline remembers about a source, beside its registry row. */
export type FeedState = {
  readonly sourceNumber: number;
  /** When the worker means to ask next; null: never planned. */
  readonly nextRunAtMs: number | null;
  /** Why the last attempt brought nothing; null while all is well. */
  readonly problem: string | null;
  /** Constant that was added to the dates of an offline data set. */
  readonly rebaseMs: number;
  readonly quarantine: {
    readonly reason: string;
    /** False: a web page or a cut-off file, which nobody may release. */
    readonly isReleasable: boolean;
  } | null;
};

export const FRESHNESS = ['fresh', 'stale', 'missing', 'failing'] as const;
export type Freshness = (typeof FRESHNESS)[number];

export type Judgement = {
  readonly status: Freshness;
  /** A sentence for people; null when there is nothing to say. */
  readonly message: string | null;
  readonly isOverdue: boolean;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A run may wait for a free worker; past this there is no worker. */
const LATE_MS = 2 * HOUR_MS;

/** Enabled sources that are fetched, or have content: the rest of the registry is an offer, not a data set. */
export const isInUse = ({ enabled, scheduled, entries, dataAtS }: Source): boolean =>
  enabled && (scheduled || entries > 0 || dataAtS > 0);

/** The worst that is true: never loaded, then failing, then too old or not asked for too long. */
export function judgeFreshness(source: Source, state: FeedState | undefined, nowMs: number): Judgement {
  // The problem also says what stays listed.
  const reason = state?.problem ?? state?.quarantine?.reason ?? null;
  const isOverdue = overdue(source, state, nowMs);
  const { isStale, staleAfterMs } = stalenessOf(source, nowMs);
  if (source.dataAtS === 0)
    return { status: 'missing', message: reason ?? 'It has never been loaded.', isOverdue };
  const say = (status: Freshness, sentence: string | null): Judgement => ({
    status,
    message: joined(sentence, rebaseSentence(state?.rebaseMs ?? 0)),
    isOverdue,
  });
  if (reason !== null) return say('failing', reason);
  if (isStale) return say('stale', `Its data is older than ${days(staleAfterMs)}.`);
  if (isOverdue) return say('stale', 'It is scheduled, and nobody has asked its publisher for too long.');
  return say('fresh', null);
}

const overdue = ({ scheduled }: Source, state: FeedState | undefined, nowMs: number): boolean =>
  scheduled && (state?.nextRunAtMs ?? null) !== null && nowMs - (state?.nextRunAtMs ?? 0) > LATE_MS;

/** Dates that were moved are never shown without saying so. */
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
