const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const STEPS = [
  { unit: 'd', ms: DAY_MS },
  { unit: 'h', ms: HOUR_MS },
  { unit: 'min', ms: 60_000 },
  { unit: 's', ms: 1_000 },
] as const;
/** Beyond 60 days a date says more than a number of days. */
const DATE_FROM_MS = 60 * DAY_MS;

export function relativeTime(atMs: number, nowMs: number): string {
  const distance = Math.abs(nowMs - atMs);
  if (distance > DATE_FROM_MS) return new Date(atMs).toISOString().slice(0, 10);
  if (distance < 2_000) return 'just now';
  return atMs > nowMs ? `in ${duration(distance)}` : `${span(distance, Math.floor)} ago`;
}

/** "43 s", "12 min", "3 h": in the largest unit that fits, rounded up so that a countdown never ends too early. */
export const duration = (ms: number): string => span(ms, Math.ceil);

function span(ms: number, round: (count: number) => number): string {
  const step = STEPS.find((each) => ms >= each.ms) ?? STEPS[3];
  return `${Math.max(1, round(ms / step.ms))} ${step.unit}`;
}

export function absoluteTime(atMs: number, clock: 'utc' | 'local'): string {
  const at = new Date(atMs);
  if (clock === 'utc') return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** An age in hours, as the service sends it, in words: "3 h old", "5 d old". */
export const ageOf = (hours: number): string =>
  hours < 1 ? 'under 1 h old' : hours < 48 ? `${hours} h old` : `${Math.round(hours / 24)} d old`;
