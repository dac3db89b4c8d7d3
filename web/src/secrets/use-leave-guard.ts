import { useEffect } from 'react';
import { guardPlace } from '../navigation/place.ts';

/**
 * Keeps the page where it is while something is shown that cannot be shown again. Closing the tab asks in the browser's
 * own words; links, the back button and the palette call `ask`.
 */
export function useLeaveGuard(isGuarding: boolean, ask: () => void): void {
  useEffect(() => {
    if (!isGuarding) return;
    const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    const release = guardPlace(ask);
    return () => {
      removeEventListener('beforeunload', onUnload);
      release();
    };
  }, [isGuarding, ask]);
}
