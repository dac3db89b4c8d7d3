import { useSyncExternalStore } from 'react';

/** The width at which the rail becomes a bar; the style sheets use the same number. */
const NARROW = '(max-width: 820px)';

const subscribe = (listener: () => void): (() => void) => {
  const query = matchMedia(NARROW);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches);
