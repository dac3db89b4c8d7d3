import { useSyncExternalStore } from 'react';
import { keep as keepText, readKept } from './browser-storage.ts';

/** A check finished in this browser. The service stores none of them. */
export type RecentCheck = {
  readonly type: 'ip' | 'domain' | 'url' | 'hash';
  readonly value: string;
  readonly word: string;
  readonly tone: string;
  readonly at: string;
};

const KEY = 'assay.recent';
const RECENT_MAX = 20;
/** A stored entry with a longer verdict word is dropped, because no word of the service is longer. */
const WORD_CHARS_MAX = 40;
const TYPES: ReadonlySet<unknown> = new Set(['ip', 'domain', 'url', 'hash']);

/** Newest first, one per indicator. Entries of another shape are dropped. */
export function readRecent(text: string | null): readonly RecentCheck[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? parsed.filter(isRecentCheck).slice(0, RECENT_MAX) : [];
  } catch {
    return [];
  }
}

export const withCheck = (recent: readonly RecentCheck[], check: RecentCheck): readonly RecentCheck[] =>
  [check, ...recent.filter(({ type, value }) => type !== check.type || value !== check.value)].slice(
    0,
    RECENT_MAX,
  );

function isRecentCheck(entry: unknown): entry is RecentCheck {
  if (typeof entry !== 'object' || entry === null) return false;
  const { type, value, word, tone, at } = entry as Record<string, unknown>;
  return (
    TYPES.has(type) &&
    [value, word, tone, at].every((text) => typeof text === 'string') &&
    String(word).length <= WORD_CHARS_MAX &&
    !Number.isNaN(Date.parse(String(at)))
  );
}

let current: readonly RecentCheck[] | null = null;
const listeners = new Set<() => void>();

export function recentChecks(): readonly RecentCheck[] {
  current ??= readRecent(stored());
  return current;
}

export const rememberCheck = (check: RecentCheck): void => keep(withCheck(readRecent(stored()), check));
export const forgetChecks = (): void => keep([]);

function keep(checks: readonly RecentCheck[]): void {
  current = checks;
  // When storage is blocked, the list lasts until the page closes.
  keepText('browser', KEY, checks.length === 0 ? null : JSON.stringify(checks));
  for (const listener of listeners) listener();
}

const stored = (): string | null => readKept('browser', KEY);

function subscribe(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent): void => {
    if (key !== KEY && key !== null) return;
    current = null;
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

export const useRecentChecks = (): readonly RecentCheck[] => useSyncExternalStore(subscribe, recentChecks);
