/** The bulk page reads what the box left for it. Session storage: another tab is another task. */
const BULK_TEXT_KEY = 'assay.bulk-text';
/** Browsers keep about 5 million characters for one site. */
export const BULK_TEXT_CHARS_MAX = 4_000_000;

/** False when the browser keeps nothing, or not that much. */
export function leaveForBulk(text: string): boolean {
  if (text.length > BULK_TEXT_CHARS_MAX) return false;
  try {
    sessionStorage.setItem(BULK_TEXT_KEY, text);
    return true;
  } catch {
    return false;
  }
}
