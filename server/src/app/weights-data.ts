import type { OtherData } from '#capabilities/datasets/index.ts';
import type { WeightsState } from '#capabilities/weights/index.ts';
import { DAY_MS } from '#platform/time-units.ts';

/** Three nights without a run are more than one missed job. */
const STALE_AFTER_MS = 3 * DAY_MS;
const ALARMS_MAX = 5;

/** The learned weights in the freshness report: only while an operator has something to do. */
export function weightsData(state: WeightsState | null, nowMs: number): readonly OtherData[] {
  if (state === null) return [];
  const { held, alarms, lastRunAtMs } = state;
  const sentences = [
    ...(held === null
      ? []
      : [`Version ${held.version} waits for an operator: ${held.reasons.join(' ')}`.trim()]),
    ...(alarms.length === 0
      ? []
      : [`Weighed less, because many of their names are on top lists: ${namesOf(alarms)}.`]),
  ];
  if (sentences.length === 0 && nowMs - lastRunAtMs <= STALE_AFTER_MS) return [];
  return [
    {
      id: 'weights',
      label: 'Learned weights of lists',
      category: 'weights',
      isFailing: sentences.length > 0,
      dataAtMs: lastRunAtMs,
      staleAfterMs: STALE_AFTER_MS,
      records: 0,
      message: sentences.length === 0 ? null : sentences.join(' '),
      nodesDiffer: false,
      action: actionFor(state),
    },
  ];
}

function actionFor({ held, alarms }: WeightsState): string {
  if (held !== null)
    return 'Compare the weights that wait with those in force and let them through: `npm run admin -- weights list`, then `npm run admin -- weights release`.';
  if (alarms.length > 0)
    return `Look at ${namesOf(alarms)}: a list with many popular names was probably damaged.`;
  return 'Find out in the log of the worker why weights were not learned: `npm run admin -- weights learn`.';
}

const namesOf = (sources: readonly string[]): string => {
  const more = sources.length - ALARMS_MAX;
  return `${sources.slice(0, ALARMS_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};
