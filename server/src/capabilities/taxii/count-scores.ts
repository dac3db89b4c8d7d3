import type { Db } from '#platform/postgres.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { lastCountMs, putCounts } from './count-store.ts';

/** Contract 4.7: counted every twelve hours. */
const COUNT_EVERY_MS = 12 * HOUR_MS;

export async function isCountDue(tx: Db, nowMs: number): Promise<boolean> {
  const lastMs = await lastCountMs(tx);
  return lastMs === null || Math.abs(nowMs - lastMs) >= COUNT_EVERY_MS;
}

export const countScores = (tx: Db, nowMs: number): Promise<unknown> => putCounts(tx, nowMs);
