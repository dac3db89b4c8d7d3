import { useEffect, useState } from 'react';
import type { Reading } from './reading.ts';

type Reader = (text: string) => Reading;
/** By then the page has what it was opened for. */
export const IDLE_MS = 1_500;

let loading: Promise<Reader> | null = null;

/** The parser brings the public suffix list with it, so it comes after the page. One that failed to load is asked for again. */
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

/** Null until it is here. Loaded when the browser has nothing else to do, or as soon as `isWanted`. */
export function useReader(isWanted: boolean): Reader | null {
  const [reader, setReader] = useState<Reader | null>(null);
  useEffect(() => {
    if (reader !== null) return;
    // A failure is told when somebody presses Enter; before that nobody misses it.
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
