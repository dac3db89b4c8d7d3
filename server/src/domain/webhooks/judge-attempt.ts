const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses after the first, second, third ... failure (decisions 3.12). */
export const RETRY_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Pauses are up to a tenth longer, so that endpoints of one host do not all return at once. */
const JITTER = 0.1;
/** A message that is refused this often while it is the first of its lane is parked. */
export const REFUSED_MAX = 3;
/** The step at which a parked message begins: the pause of 5 seconds was used before parking. */
const PARKED_STEP = 1;
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;
/** An endpoint with nothing but failures for this long is disabled. */
export const FAILING_MAX_MS = 120 * HOUR_MS;

/** What came back: a status, or null where no complete answer came (no connection, timeout). */
export type Answer = { readonly status: number | null; readonly retryAfterMs: number | null };

/** Where the delivery stands: first of the lane of its endpoint, parked on a schedule of its own, or sent once by request. */
export type Place =
  | { readonly kind: 'lane'; readonly step: number; readonly refusals: number }
  | { readonly kind: 'parked'; readonly step: number }
  | { readonly kind: 'once' };

export type Next =
  | { readonly kind: 'delivered' }
  /** Status 410: the receiver wants no further messages. */
  | { readonly kind: 'gone' }
  /** The same message is sent again, because the endpoint failed or refused it fewer than REFUSED_MAX times. */
  | { readonly kind: 'again'; readonly nextAtMs: number; readonly step: number; readonly refusals: number }
  /** The message was refused: it is retried on a schedule of its own, and the lane goes on with the next message. */
  | { readonly kind: 'park'; readonly nextAtMs: number; readonly step: number }
  /** No attempt is left. The lane goes on at `nextAtMs` with the interval reached, not with the first one. */
  | { readonly kind: 'failed'; readonly nextAtMs: number; readonly step: number };

export type JudgeSettings = {
  readonly nowMs: number;
  /** From 0 to 1. */
  readonly random: number;
  readonly retryMs?: readonly number[];
};

/** Statuses that are about the endpoint, not about the message, so they do not count as refusals. */
const ENDPOINT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);
const isRefusal = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && !ENDPOINT_STATUSES.has(status);

export function judgeAttempt(place: Place, answer: Answer, settings: JudgeSettings): Next {
  const { status } = answer;
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  if (place.kind === 'once') return { kind: 'failed', nextAtMs: settings.nowMs, step: 0 };
  if (place.kind === 'parked') return later(place.step, 0, answer, settings);
  if (!isRefusal(status)) return later(place.step, place.refusals, answer, settings);
  const refusals = place.refusals + 1;
  const nextAtMs = (step: number) => settings.nowMs + pauseMs(step, answer, settings);
  return refusals < REFUSED_MAX
    ? { kind: 'again', nextAtMs: nextAtMs(0), step: place.step, refusals }
    : { kind: 'park', nextAtMs: nextAtMs(PARKED_STEP), step: PARKED_STEP + 1 };
}

function later(step: number, refusals: number, answer: Answer, settings: JudgeSettings): Next {
  const { length } = settings.retryMs ?? RETRY_MS;
  const nextAtMs = settings.nowMs + pauseMs(Math.min(step, length - 1), answer, settings);
  return step < length
    ? { kind: 'again', nextAtMs, step: step + 1, refusals }
    : { kind: 'failed', nextAtMs, step: length };
}

function pauseMs(
  step: number,
  { retryAfterMs }: Answer,
  { random, retryMs = RETRY_MS }: JudgeSettings,
): number {
  const ownMs = (retryMs[step] ?? 0) * (1 + JITTER * random);
  return Math.round(Math.max(ownMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)));
}

/** Seconds or a date (RFC 9110, 10.2.3); null where it is neither. */
export function readRetryAfter(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  const trimmed = text.trim();
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed) * SECOND_MS;
  const atMs = /^[A-Z][a-z]{2}, /.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
