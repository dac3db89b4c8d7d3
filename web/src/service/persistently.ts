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
 * Loads a part of the page and repeats a failed load until it succeeds. React would keep the failure and pass it to the
 * nearest error boundary, so one lost script would replace the whole page. The pauses double, and end when the network
 * is back or the reader asks.
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
      // The load failed again, so the loop goes on with a longer pause.
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

/** Ends every pause, so that each lost part is fetched again at once. */
export function fetchLostParts(): void {
  for (const goOn of pauses) goOn();
}

/** How many parts of the page have failed to load and are still missing. */
export const lostParts = (): number => lost;
export const useLostParts = (): number => useSyncExternalStore(listen, lostParts);

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
