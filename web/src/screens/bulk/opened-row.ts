import { HANDED_OVER, keep } from '../../service/browser-storage.ts';
import { stepsAround } from './bulk-order.ts';
import type { TriageRow } from './triage-view.ts';

let opened: string | null = null;

/** The row that was opened last, from which `j` continues after coming back. */
export const openedEntity = (): string | null => opened;

export function rememberOrder(shown: readonly TriageRow[], row: TriageRow): void {
  opened = row.row.entity;
  // When storage is blocked, the indicator's page opens without the keys that step through the list.
  keep('tab', HANDED_OVER.bulkOrder, JSON.stringify(stepsAround(shown, row)));
}
