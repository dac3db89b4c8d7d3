import { type LoadContent, overrulable } from '#capabilities/datasets/index.ts';
import { GateError } from '#capabilities/lists/index.ts';
import { DAY_MS } from '#platform/time-units.ts';

/** A publisher in another time zone may be a day ahead. */
const AHEAD_MAX_MS = DAY_MS;

/** Refuses an edition older than the loaded one: a mirror with yesterday's file would undo the changes of today. */
export function judgeEdition(content: LoadContent, declaredAt: string | null, nowMs: number): void {
  if (declaredAt === null) return;
  // An operator cannot overrule this, because every true later edition would then count as older.
  if (Date.parse(declaredAt) > nowMs + AHEAD_MAX_MS)
    throw new GateError(
      'wrong-format',
      `The publisher dates this edition ${declaredAt.slice(0, 10)}, a day in the future. It is asked again later.`,
      false,
    );
  const before = content.cursor?.declaredAt;
  if (typeof before !== 'string' || declaredAt >= before) return;
  overrulable(content, () => {
    throw new GateError(
      'older',
      `The publisher sent the edition of ${declaredAt.slice(0, 10)}, but that of ${before.slice(0, 10)} is loaded. It is asked again later.`,
      true,
    );
  });
}
