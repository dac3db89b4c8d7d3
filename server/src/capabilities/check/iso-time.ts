import { DAY_MS } from '#platform/time-units.ts';

const KEPT_MAX = 10_000;

let lastMs = Number.NaN;
let lastIso = '';
const kept = new Map<number, string>();

/**
 * RFC 3339 with milliseconds (decisions 1.1). Formatting takes 0.4 us, so answers of one millisecond share the text.
 */
export function isoOf(ms: number): string {
  if (ms !== lastMs) {
    lastIso = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastIso;
}

/** Dates of listings repeat: a list without dates has one date for all its entries. */
export function isoOfSeconds(seconds: number): string {
  const known = kept.get(seconds);
  if (known !== undefined) return known;
  if (kept.size >= KEPT_MAX) kept.clear();
  const text = new Date(seconds * 1_000).toISOString();
  kept.set(seconds, text);
  return text;
}

const WEEK_MS = 7 * DAY_MS;

/** Asks for a time in an error message. Its example is noon of a week ago, which is inside every history. */
export function askTime(nowMs: number): string {
  const exampleMs = Math.floor((nowMs - WEEK_MS) / DAY_MS) * DAY_MS + DAY_MS / 2;
  return `Send a time with its zone, such as ${new Date(exampleMs).toISOString().replace('.000Z', 'Z')}.`;
}
