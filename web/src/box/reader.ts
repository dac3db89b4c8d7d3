import { useEffect, useState } from 'react';
import type { Reading } from './reading.ts';

type Reader = (text: string) => Reading;
/** Late enough that the page has loaded what it was opened for. */
export const IDLE_MS = 1_500;

let loading: Promise<Reader> | null = null;

/**
 * The parser includes the public suffix list, so it loads after the page. A failed load is tried again at the next
 * call.
 */
export function loadReader(): Promise<Reader> {
  loading ??= import('./read-input.ts').then(
    ({ readInput }) => readInput,
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** Null until the parser is loaded: `IDLE_MS` after the mount, or at once when `isWanted`. */
export function useReader(isWanted: boolean): Reader | null {
  const [reader, setReader] = useState<Reader | null>(null);
  useEffect(() => {
    if (reader !== null) return;
    // A failed load is reported when Enter is pressed; until then the parser is not needed.
    const load = () =>
      void loadReader().then(
        (loaded) => setReader(() => loaded),
        () => undefined,
      );
    if (isWanted) {
      load();
      return;
    }
    const timer = setTimeout(load, IDLE_MS);
    return () => clearTimeout(timer);
  }, [reader, isWanted]);
  return reader;
}
