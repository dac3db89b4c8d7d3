/** What is left for another screen, under the name by which it looks for it. */
export const HANDED_OVER = { bulkText: 'assay.bulk-text', bulkOrder: 'assay.bulk-order' } as const;

/** `tab` is gone with the tab, and is another in every one; `browser` stays. */
type Kept = 'tab' | 'browser';
const storageOf = (kept: Kept): Storage => (kept === 'tab' ? sessionStorage : localStorage);

/** A browser may keep nothing at all, and says so by throwing: then there is nothing to read. */
export function readKept(kept: Kept, key: string): string | null {
  try {
    return storageOf(kept).getItem(key);
  } catch {
    return null;
  }
}

/** Null takes it away. False when the browser keeps nothing, or not that much. */
export function keep(kept: Kept, key: string, value: string | null): boolean {
  try {
    if (value === null) storageOf(kept).removeItem(key);
    else storageOf(kept).setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
