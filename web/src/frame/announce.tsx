import { useSyncExternalStore } from 'react';
import { visibleText } from '../ui/visible-parts.ts';

let message = '';
const listeners = new Set<() => void>();

/**
 * Sends text to screen readers through a polite live region. A check announces at most twice: its first verdict and its
 * end.
 */
export function announce(text: string): void {
  message = visibleText(text);
  for (const listener of listeners) listener();
}

export function Announcer() {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => message,
  );
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
