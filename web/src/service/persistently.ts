const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 15_000;

/**
 * Loads a part of the page until it is here. React keeps a failed load for ever and gives it to the nearest boundary, so
 * one lost script took the whole page with it; now its place waits. The pauses double, and end when the network is back.
 */
export async function persistently<T>(load: () => Promise<T>): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS))
    try {
      return await load();
    } catch {
      await pause(pauseMs);
    }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const goOn = (): void => {
      clearTimeout(timer);
      globalThis.removeEventListener('online', goOn);
      resolve();
    };
    const timer = setTimeout(goOn, ms);
    globalThis.addEventListener('online', goOn);
  });
