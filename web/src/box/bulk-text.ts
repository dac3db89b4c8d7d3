import { HANDED_OVER, keep } from '../service/browser-storage.ts';

/** Browsers keep about 5 million characters for one site. */
export const BULK_TEXT_CHARS_MAX = 4_000_000;

/** In the tab's storage, because another tab is another task. False when storage is blocked or full. */
export const leaveForBulk = (text: string): boolean =>
  text.length <= BULK_TEXT_CHARS_MAX && keep('tab', HANDED_OVER.bulkText, text);
