import { forgetKept } from './browser-storage.ts';

/** On this channel tabs hand a bulk result to each other, and tell each other to forget it. */
export const LISTS_CHANNEL = 'assay.bulk';
const KEYS = 'assay.bulk-';

/** Lists that were pasted and their answers belong to the person who signed in, in every tab. */
export function forgetLists(): void {
  forgetKept('tab', KEYS);
  const tabs = new BroadcastChannel(LISTS_CHANNEL);
  tabs.postMessage({ type: 'forget' });
  tabs.close();
}
