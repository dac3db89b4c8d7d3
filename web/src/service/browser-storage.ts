export const HANDED_OVER = { bulkText: 'assay.bulk-text', bulkOrder: 'assay.bulk-order' } as const;

/** `tab` is per tab and ends with it; `browser` is shared and stays. */
type Kept = 'tab' | 'browser';
const storageOf = (kept: Kept): Storage => (kept === 'tab' ? sessionStorage : localStorage);

/** Null when nothing is stored, or when the browser blocks storage and throws. */
export function readKept(kept: Kept, key: string): string | null {
  try {
    return storageOf(kept).getItem(key);
  } catch {
    return null;
  }
}

/** Null removes the entry. False when storage is blocked or full. */
export function keep(kept: Kept, key: string, value: string | null): boolean {
  try {
    if (value === null) storageOf(kept).removeItem(key);
    else storageOf(kept).setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** Removes every entry whose key begins with the prefix. */
export function forgetKept(kept: Kept, prefix: string): void {
  try {
    const storage = storageOf(kept);
    for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
  } catch {
    // The browser blocks storage, so there is nothing to remove.
  }
}
