import { useSyncExternalStore } from 'react';
import { keep, readKept } from '../service/browser-storage.ts';

export type Theme = 'system' | 'light' | 'dark';
export type Preferences = {
  readonly theme: Theme;
  /** WCAG 2.1.4: single-key shortcuts can be switched off. */
  readonly singleKeys: boolean;
  readonly clock: 'utc' | 'local';
};

const KEYS = { theme: 'assay.theme', singleKeys: 'assay.single-keys', clock: 'assay.clock' } as const;

const stored = (key: string): string | null => readKept('browser', key);

function read(): Preferences {
  const theme = stored(KEYS.theme);
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    singleKeys: stored(KEYS.singleKeys) !== 'off',
    clock: stored(KEYS.clock) === 'local' ? 'local' : 'utc',
  };
}

let current = read();
const listeners = new Set<() => void>();

export function setPreference<K extends keyof Preferences>(name: K, value: Preferences[K]): void {
  current = { ...current, [name]: value };
  // When storage is blocked, the preference lasts until the page closes.
  keep('browser', KEYS[name], typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));
  if (name === 'theme') applyTheme(current.theme);
  for (const listener of listeners) listener();
}

/** index.html does the same before the first paint. */
function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const preferences = (): Preferences => current;
export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, preferences);
