/**
 * How long a source has had an entry: F fresh, less than 60 days; M mature, less than 365; O old; U undated, when nothing
 * says since when.
 */
export const AGE_GROUPS = ['F', 'M', 'O', 'U'] as const;
export type AgeGroup = (typeof AGE_GROUPS)[number];

const SECONDS_PER_DAY = 86_400;
const FRESH_DAYS = 60;
const MATURE_DAYS = 365;

/** The group on the day of this moment, in whole days of UTC. `sinceS` is null for an entry without a date. */
export function ageGroupOf(sinceS: number | null, nowS: number): AgeGroup {
  if (sinceS === null) return 'U';
  const days = dayOf(nowS) - dayOf(sinceS);
  if (days < FRESH_DAYS) return 'F';
  return days < MATURE_DAYS ? 'M' : 'O';
}

/** The first second of the day on which an entry moves to its next group; null if it stays in the group it has. */
export function nextGroupAtS(sinceS: number | null, nowS: number): number | null {
  const group = ageGroupOf(sinceS, nowS);
  if (sinceS === null || group === 'O' || group === 'U') return null;
  return (dayOf(sinceS) + (group === 'F' ? FRESH_DAYS : MATURE_DAYS)) * SECONDS_PER_DAY;
}

const dayOf = (seconds: number): number => Math.floor(seconds / SECONDS_PER_DAY);
