/** Arrivals are whole milliseconds and the interval need not be: a rounding error is not a violation. */
const ROUNDING_MS = 1e-6;

/**
 * The generic cell rate algorithm as a judge: true when every arrival conforms to `limit` per `periodMs` with room
 * for `limit` at once. The sliding window is stricter, so whatever it grants must pass (reliability Q4).
 */
export function conformsToGcra(arrivalsMs: readonly number[], limit: number, periodMs: number): boolean {
  const intervalMs = periodMs / limit;
  const toleranceMs = periodMs - intervalMs;
  const firstMs = arrivalsMs[0] ?? 0;
  let expectedMs = 0;
  for (const arrivalMs of arrivalsMs) {
    // Since the first arrival, not since the epoch: there a millisecond has too few digits left for the interval.
    const atMs = arrivalMs - firstMs;
    if (atMs < expectedMs - toleranceMs - ROUNDING_MS) return false;
    expectedMs = Math.max(expectedMs, atMs) + intervalMs;
  }
  return true;
}
