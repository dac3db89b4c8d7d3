const WEEK = 7;
/** A change of the score below this is `stable`, because listings lose points by ageing alone. */
const DIFFERENCE_MIN = 5;

export type Trend = 'rising' | 'falling' | 'stable';

/** Compares the mean of the last week with that of the first; below two weeks, of the two halves. */
export function trendOf(scores: readonly number[]): Trend {
  const days = Math.min(WEEK, Math.floor(scores.length / 2));
  if (days === 0) return 'stable';
  const difference = mean(scores.slice(-days)) - mean(scores.slice(0, days));
  if (Math.abs(difference) < DIFFERENCE_MIN) return 'stable';
  return difference > 0 ? 'rising' : 'falling';
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
