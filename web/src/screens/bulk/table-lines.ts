import type { Decision, Part } from './decision.ts';
import type { TriageRow } from './triage-view.ts';

/** One line of the table: the head of a group, the head of a part of it, or a row. */
export type Line =
  | { readonly kind: 'group'; readonly decision: Decision; readonly count: number }
  | { readonly kind: 'part'; readonly part: Part; readonly count: number }
  | { readonly kind: 'row'; readonly triage: TriageRow; readonly index: number };

export type TableLines = {
  readonly lines: readonly Line[];
  /** The index in `lines` of each row, for the keys that step from row to row. */
  readonly lineOfRow: readonly number[];
};

/** `rows` are in the order of `arrange`: by group and part. */
export function tableLines(rows: readonly TriageRow[]): TableLines {
  const counts = new Map<string, number>();
  for (const { part } of rows)
    for (const key of [part.decision, part.id]) counts.set(key, (counts.get(key) ?? 0) + 1);
  const lines: Line[] = [];
  const lineOfRow: number[] = [];
  let last: Part | undefined;
  for (const [index, triage] of rows.entries()) {
    const { part } = triage;
    if (part.decision !== last?.decision)
      lines.push({ kind: 'group', decision: part.decision, count: counts.get(part.decision) ?? 0 });
    if (part !== last) lines.push({ kind: 'part', part, count: counts.get(part.id) ?? 0 });
    last = part;
    lineOfRow.push(lines.length);
    lines.push({ kind: 'row', triage, index });
  }
  return { lines, lineOfRow };
}

/** Stays the same while rows are sorted, so that the table keeps the heights it has measured. */
export function keyOf(line: Line | undefined): string | undefined {
  if (line === undefined) return undefined;
  if (line.kind === 'row') return `row ${line.triage.row.entity}`;
  return line.kind === 'group' ? `group ${line.decision}` : `part ${line.part.id}`;
}
