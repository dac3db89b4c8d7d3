import type { Source } from '#capabilities/corpus/index.ts';
import type { Db } from '#platform/postgres.ts';
import { foldActivity, type ListingActivity } from './count-activity.ts';
import { isCounted } from './count-threats.ts';
import { timelineStartMs } from './present-statistics.ts';
import { addedByHour, findStatistic, writeStatistic } from './store.ts';

const ACTIVITY = 'activity';

/**
 * Counts when listings began, by a scan of its own that runs only when the change log has moved: hours that pass later need
 * no new count. Call it before `prepareScan`, because this scan needs no order.
 */
export async function refreshActivity(
  tx: Db,
  {
    nowMs,
    seq,
    sources,
  }: { readonly nowMs: number; readonly seq: number; readonly sources: readonly Source[] },
): Promise<ListingActivity> {
  const known = await findStatistic<ListingActivity>(tx, ACTIVITY);
  if (known !== undefined && known.seq === seq) return known.value;
  const counted = new Set(sources.filter(isCounted).map(({ number }) => number));
  const activity = foldActivity(await addedByHour(tx, timelineStartMs(nowMs)), counted, nowMs);
  await writeStatistic(tx, ACTIVITY, { value: activity, seq, computedAtMs: nowMs });
  return activity;
}
