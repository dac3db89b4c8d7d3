import type { TriageRow } from './triage-view.ts';

/** In the order shown. A selected row that the filter hides is left out: an export contains only visible rows. */
export const chosenOf = (shown: readonly TriageRow[], selected: ReadonlySet<string>): readonly TriageRow[] =>
  selected.size === 0 ? shown : shown.filter(({ row }) => selected.has(row.entity));
