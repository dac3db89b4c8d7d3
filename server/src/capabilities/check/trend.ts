const WEEK = 7;
/** Smaller differences are noise of ageing listings: a single listing loses more than that within a half-life. */
const DIFFERENCE_MIN = 5;

export type Trend = 'rising' | 'falling' | 'stable';

/** The last week against the first; below two weeks the two halves, so that no day counts on both sides. */
export function trendOf(scores: readonly number[]): Trend {
  const days = Math.min(WEEK, Math.floor(scores.length / 2));
  if (days === 0) return 'stable';
  const difference = mean(scores.slice(-days)) - mean(scores.slice(0, days));
  if (Math.abs(difference) < DIFFERENCE_MIN) return 'stable';
  return difference > 0 ? 'rising' : 'falling';
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
