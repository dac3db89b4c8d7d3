import { plural } from './plural.ts';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

const UNITS = [
  ['day', DAY_S],
  ['hour', HOUR_S],
  ['minute', MINUTE_S],
  ['second', 1],
] as const;

/**
 * A length of time in words, in at most two units: "45 seconds", "20 hours 26 minutes", "2 days". At least one second;
 * from an hour on rounded to minutes, from a day on to hours.
 */
export function duration(ms: number): string {
  const exactS = Math.max(1, Math.ceil(ms / 1_000));
  const stepS = exactS >= DAY_S ? HOUR_S : exactS >= HOUR_S ? MINUTE_S : 1;
  let leftS = Math.round(exactS / stepS) * stepS;
  const parts: string[] = [];
  for (const [unit, lengthS] of UNITS) {
    const count = Math.floor(leftS / lengthS);
    leftS -= count * lengthS;
    if (count > 0) parts.push(plural(count, unit));
  }
  return parts.join(' ');
}
