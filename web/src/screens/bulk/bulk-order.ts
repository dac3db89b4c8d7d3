import type { Target } from '../../box/permalink.ts';
import type { TriageRow } from './triage-view.ts';

const STEPS_MAX = 2_000;

export type BulkStep = {
  readonly type: string;
  readonly value: string;
  readonly word: string;
  readonly tone: string;
};

export function stepsAround(shown: readonly TriageRow[], opened: TriageRow): readonly BulkStep[] {
  const pages = shown.filter((row) => pageOf(row) !== null);
  const first = Math.max(0, Math.min(pages.indexOf(opened) - STEPS_MAX / 2, pages.length - STEPS_MAX));
  return pages.slice(first, first + STEPS_MAX).map(({ row, verdict }) => ({
    type: row.type,
    value: row.entity,
    word: verdict.word,
    tone: verdict.tone,
  }));
}

/** E-mail addresses are personal data, so they never appear in a path and have no page. */
export function pageOf({ row: { type, entity } }: TriageRow): Target | null {
  return type === 'ip' || type === 'domain' || type === 'url' || type === 'hash'
    ? { type, value: entity }
    : null;
}
