/**
 * A sliding window in slots: twelve slots make the window, and the oldest, partly expired one counts whole. So no
 * sliding window ever holds more than the limit, and 13 slots after the last grant the whole limit is free again.
 * The Redis Function of the metering capability computes the same; a property test holds the two together.
 */
export const WINDOW_SLOTS = 12;
const SLOTS_KEPT = WINDOW_SLOTS + 1;

export type Window = {
  /** Number of the newest slot: time divided by the slot's length. */
  readonly head: number;
  /** Grants per slot, newest first, SLOTS_KEPT of them. */
  readonly counts: readonly number[];
};

export type WindowAnswer = {
  readonly granted: boolean;
  /** What is left after this answer. */
  readonly remaining: number;
  /** When the whole limit is free again; always later than now. */
  readonly resetMs: number;
  /** How long until one more would be granted; 0 when it was. */
  readonly retryAfterMs: number;
  readonly window: Window;
};

export const EMPTY_WINDOW: Window = { head: 0, counts: Array.from({ length: SLOTS_KEPT }, () => 0) };

/** Asks for one grant and takes it when there is one. `windowMs` must divide into WINDOW_SLOTS whole slots. */
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
    // Refusing leaves no trace, here and in Redis.
    window,
  };
}

/** Moves the window to `slot`. A clock that went back a little waits for itself; one that jumped starts afresh. */
function turnTo(window: Window, slot: number): Window {
  const passed = slot - window.head;
  if (passed === 0) return window;
  if (passed < 0 && passed >= -SLOTS_KEPT) return window;
  if (passed < 0 || passed >= SLOTS_KEPT) return { head: slot, counts: EMPTY_WINDOW.counts };
  const kept = window.counts.slice(0, SLOTS_KEPT - passed);
  return { head: slot, counts: [...Array.from({ length: passed }, () => 0), ...kept] };
}

/** The age of the slot whose leaving makes room for one more; the newest one when even that would not (limit 0). */
function ageThatFrees(counts: readonly number[], total: number, limit: number): number {
  let left = total;
  for (let age = SLOTS_KEPT - 1; age > 0; age -= 1) {
    left -= counts[age] ?? 0;
    if (left + 1 <= limit) return age;
  }
  return 0;
}
