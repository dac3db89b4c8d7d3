import { forgetKept } from './browser-storage.ts';

/** On this channel tabs hand a bulk result to each other, and tell each other to forget it. */
export const LISTS_CHANNEL = 'assay.bulk';
const KEYS = 'assay.bulk-';

/** Deletes pasted lists and their answers in every tab at sign-out, because they belong to the person who signed in. */
export function forgetLists(): void {
  forgetKept('tab', KEYS);
  const tabs = new BroadcastChannel(LISTS_CHANNEL);
  tabs.postMessage({ type: 'forget' });
  tabs.close();
}
