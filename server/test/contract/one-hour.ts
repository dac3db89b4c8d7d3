import { sleep } from '#test/eventually.ts';

const HOUR_MS = 3_600_000;
/** Time that must be left of the hour: longer than any test that compares answers takes. */
const NEEDED_MS = 60_000;

/**
 * Scores and ages count whole hours of the clock, so two answers are alike only within one hour. Shortly before its end
 * this waits for the next one.
 */
export async function beginWithinOneHour(): Promise<void> {
  const leftMs = HOUR_MS - (Date.now() % HOUR_MS);
  if (leftMs < NEEDED_MS) await sleep(leftMs + 100);
}
