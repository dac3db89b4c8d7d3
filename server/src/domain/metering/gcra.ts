/** Arrivals are whole milliseconds but the interval may be a fraction, so rounding errors are tolerated. */
const ROUNDING_MS = 1e-6;

/**
 * The generic cell rate algorithm as a test oracle: true when every arrival conforms to `limit` per `periodMs` with a
 * full burst of `limit`. The sliding window is stricter, so everything it grants must conform (reliability Q4).
 */
export function conformsToGcra(arrivalsMs: readonly number[], limit: number, periodMs: number): boolean {
  const intervalMs = periodMs / limit;
  const toleranceMs = periodMs - intervalMs;
  const firstMs = arrivalsMs[0] ?? 0;
  let expectedMs = 0;
  for (const arrivalMs of arrivalsMs) {
    // Counted from the first arrival: milliseconds since the epoch would leave too few digits for the interval.
    const atMs = arrivalMs - firstMs;
    if (atMs < expectedMs - toleranceMs - ROUNDING_MS) return false;
    expectedMs = Math.max(expectedMs, atMs) + intervalMs;
  }
  return true;
}
