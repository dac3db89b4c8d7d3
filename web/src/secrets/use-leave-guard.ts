import { useEffect } from 'react';
import { guardPlace } from '../navigation/place.ts';

/**
 * Keeps the reader on the page while it shows something that cannot be shown again. When the tab is closed, the browser
 * asks in its own words; links, the back button and the palette call `ask`.
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
