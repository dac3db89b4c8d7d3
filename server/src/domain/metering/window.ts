/**
 * A sliding window of twelve slots; the oldest slot, which has partly expired, counts in full. So no sliding window
 * ever holds more than the limit, and the whole limit is free again 13 slots after the last grant. The Redis Function
 * of the metering capability computes the same; a property test compares the two.
 */
export const WINDOW_SLOTS = 12;
const SLOTS_KEPT = WINDOW_SLOTS + 1;

export type Window = {
  /** The number of the newest slot: the time divided by the slot length. */
  readonly head: number;
  /** Grants for each slot, newest first, SLOTS_KEPT entries. */
  readonly counts: readonly number[];
};

export type WindowAnswer = {
  readonly granted: boolean;
  readonly remaining: number;
  /** The time at which the whole limit is free again; always later than now. */
  readonly resetMs: number;
  readonly retryAfterMs: number;
  readonly window: Window;
};

export const EMPTY_WINDOW: Window = { head: 0, counts: Array.from({ length: SLOTS_KEPT }, () => 0) };

/** Takes one grant if there is one. `windowMs` must divide into WINDOW_SLOTS whole slots. */
export function spendWindow(window: Window, nowMs: number, windowMs: number, limit: number): WindowAnswer {
  const slotMs = windowMs / WINDOW_SLOTS;
  const { head, counts } = turnTo(window, Math.floor(nowMs / slotMs));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const leavesAtMs = (age: number) => (head - age + SLOTS_KEPT) * slotMs;
  if (total + 1 <= limit) {
    const spent = counts.with(0, (counts[0] ?? 0) + 1);
    return {
      granted: true,
      remaining: limit - total - 1,
      resetMs: leavesAtMs(0),
      retryAfterMs: 0,
      window: { head, counts: spent },
    };
  }
  const newest = counts.findIndex((count) => count > 0);
  return {
    granted: false,
    remaining: 0,
    resetMs: newest < 0 ? (head + 1) * slotMs : leavesAtMs(newest),
    retryAfterMs: leavesAtMs(ageThatFrees(counts, total, limit)) - nowMs,
    // A refusal leaves the window unchanged, here and in Redis.
    window,
  };
}

/** Moves the window to `slot`. When the clock stepped back a little, the window stays; after a jump it starts empty. */
function turnTo(window: Window, slot: number): Window {
  const passed = slot - window.head;
  if (passed === 0) return window;
  if (passed < 0 && passed >= -SLOTS_KEPT) return window;
  if (passed < 0 || passed >= SLOTS_KEPT) return { head: slot, counts: EMPTY_WINDOW.counts };
  const kept = window.counts.slice(0, SLOTS_KEPT - passed);
  return { head: slot, counts: [...Array.from({ length: passed }, () => 0), ...kept] };
}

/** The age of the slot whose expiry makes room for one more grant; that of the newest slot when none does (limit 0). */
function ageThatFrees(counts: readonly number[], total: number, limit: number): number {
  let left = total;
  for (let age = SLOTS_KEPT - 1; age > 0; age -= 1) {
    left -= counts[age] ?? 0;
    if (left + 1 <= limit) return age;
  }
  return 0;
}
