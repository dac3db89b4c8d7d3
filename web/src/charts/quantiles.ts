/**
 * Cuts a list of counts into at most `steps` groups of about equal size, by value: equal counts share a group. Gives the
 * lower bound of each group, smallest first.
 */
export function quantileBounds(counts: readonly number[], steps: number): readonly number[] {
  const sorted = [...new Set(counts.filter((count) => count > 0))].sort((a, b) => a - b);
  if (sorted.length === 0) return [];
  const bounds = Array.from(
    { length: Math.min(steps, sorted.length) },
    (_, step) => sorted[Math.floor((step * sorted.length) / Math.min(steps, sorted.length))] ?? 0,
  );
  return [...new Set(bounds)];
}

export const quantileOf = (count: number, bounds: readonly number[]): number =>
  bounds.filter((bound) => count >= bound && count > 0).length;
