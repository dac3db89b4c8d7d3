import { HANDED_OVER, keep } from '../service/browser-storage.ts';

/** Browsers store about 5 million characters for one site. */
export const BULK_TEXT_CHARS_MAX = 4_000_000;

/** Leaves the text for the bulk page in this tab's storage: other tabs have other tasks. False if blocked or full. */
export const leaveForBulk = (text: string): boolean =>
  text.length <= BULK_TEXT_CHARS_MAX && keep('tab', HANDED_OVER.bulkText, text);
