import { GateError } from '#capabilities/lists/index.ts';

/** A few doubles are slips of a publisher; more of them mean that a file was put together wrongly. */
const DOUBLED_SHARE_MAX = 0.05;

/** Refuses a file with many `doubled` entries, whose key another entry of the file has: only one is kept. */
export function judgeDoubles(entries: number, doubled: number): void {
  if (doubled <= entries * DOUBLED_SHARE_MAX) return;
  const count = (value: number) => value.toLocaleString('en-US');
  throw new GateError(
    'wrong-format',
    `${count(doubled)} of ${count(entries)} entries repeat the id of another one. Compare it with the page of the publisher; release it if it is right.`,
    true,
  );
}
