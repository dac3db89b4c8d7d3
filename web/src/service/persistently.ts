import { useSyncExternalStore } from 'react';

const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 15_000;

let lost = 0;
const pauses = new Set<() => void>();
const listeners = new Set<() => void>();

function count(change: 1 | -1): void {
  lost += change;
  for (const listener of listeners) listener();
}

/**
 * Loads a part of the page until it is here. React keeps a failed load for ever and gives it to the nearest boundary, so
 * one lost script took the whole page with it; now its place waits. The pauses double, and end when the network is back
 * or the reader asks.
 */
export async function persistently<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    count(1);
  }
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    await pause(pauseMs);
    try {
      const part = await load();
      count(-1);
      return part;
    } catch {
      // Lost again: the next pause is longer.
    }
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const goOn = (): void => {
      clearTimeout(timer);
      pauses.delete(goOn);
      globalThis.removeEventListener('online', goOn);
      resolve();
    };
    const timer = setTimeout(goOn, ms);
    pauses.add(goOn);
    globalThis.addEventListener('online', goOn);
  });

/** Ends every pause: each lost part is fetched now. */
export function fetchLostParts(): void {
  for (const goOn of pauses) goOn();
}

/** How many parts of the page were lost and are not here yet. */
export const lostParts = (): number => lost;
export const useLostParts = (): number => useSyncExternalStore(listen, lostParts);

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
