import { BULK_ORDER_KEY, stepsAround } from './bulk-order.ts';
import type { TriageRow } from './triage-view.ts';

let opened: string | null = null;

/** Where somebody was before they went to an indicator's page: `j` goes on from there. */
export const openedEntity = (): string | null => opened;

/** The indicator page finds its neighbours in the order that was shown. */
export function rememberOrder(shown: readonly TriageRow[], row: TriageRow): void {
  opened = row.row.entity;
  try {
    sessionStorage.setItem(BULK_ORDER_KEY, JSON.stringify(stepsAround(shown, row)));
  } catch {
    // No stepping, then; the page itself opens all the same.
  }
}
