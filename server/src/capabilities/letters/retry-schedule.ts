import { HOUR_MS } from '#platform/time-units.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** A person waits for the letter at first, and a server that greylists accepts after five minutes; then once an hour. */
const PAUSES_MS = [
  10 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
];
const LAST_PAUSE_MS = HOUR_MS;
/** The time that mail servers keep trying as well (RFC 5321 section 4.5.4.1 asks for four to five days; links live less). */
export const RETRIED_MS = 72 * HOUR_MS;
/** Up to this share is added, so that letters of one outage do not come back at once. */
const SPREAD = 0.2;

/** When to try again after this many tries; null once the letter is too old. `random` is from 0 to 1. */
export function retryAtMs(
  { attempts, createdAtMs }: { readonly attempts: number; readonly createdAtMs: number },
  nowMs: number,
  random: number,
): number | null {
  const pauseMs = PAUSES_MS[attempts - 1] ?? LAST_PAUSE_MS;
  const atMs = nowMs + Math.round(pauseMs * (1 + SPREAD * random));
  return atMs - createdAtMs > RETRIED_MS ? null : atMs;
}
