import { HANDED_OVER, keep } from '../../service/browser-storage.ts';
import { stepsAround } from './bulk-order.ts';
import type { TriageRow } from './triage-view.ts';

let opened: string | null = null;

/** Where somebody was before they went to an indicator's page: `j` goes on from there. */
export const openedEntity = (): string | null => opened;

/** The indicator page finds its neighbours in the order that was shown. */
export function rememberOrder(shown: readonly TriageRow[], row: TriageRow): void {
  opened = row.row.entity;
  // Where nothing is kept there is no stepping; the page itself opens all the same.
  keep('tab', HANDED_OVER.bulkOrder, JSON.stringify(stepsAround(shown, row)));
}
