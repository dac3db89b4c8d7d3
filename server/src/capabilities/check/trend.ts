const WEEK = 7;
/** Less than this is the noise of ageing listings: a single one loses more than that within a half-life. */
const DIFFERENCE_MIN = 5;

export type Trend = 'rising' | 'falling' | 'stable';

/** The last week against the first; of less than two weeks the halves, so that no day counts on both sides. */
export function trendOf(scores: readonly number[]): Trend {
  const days = Math.min(WEEK, Math.floor(scores.length / 2));
  if (days === 0) return 'stable';
  const difference = mean(scores.slice(-days)) - mean(scores.slice(0, days));
  if (Math.abs(difference) < DIFFERENCE_MIN) return 'stable';
  return difference > 0 ? 'rising' : 'falling';
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
