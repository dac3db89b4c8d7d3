import { HANDED_OVER, keep } from '../service/browser-storage.ts';

/** Browsers keep about 5 million characters for one site. */
export const BULK_TEXT_CHARS_MAX = 4_000_000;

/** For this tab: another is another task. False when the browser keeps nothing, or not that much. */
export const leaveForBulk = (text: string): boolean =>
  text.length <= BULK_TEXT_CHARS_MAX && keep('tab', HANDED_OVER.bulkText, text);
