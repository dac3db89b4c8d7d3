import type { EntryCount } from './gone-entries.ts';
import type { LearnedTable } from './learned-table.ts';
import type { Turnover } from './list-class.ts';
import type { CountedCell } from './source-shares.ts';
import type { RatedSource } from './weight-book.ts';

/** What was counted of one age group: listed now, and what left the group since the last run of an earlier day. */
export type GroupCount = CountedCell & { readonly left: EntryCount };

export type SourceCount = {
  readonly source: RatedSource;
  /** `h` in hosts of the reference; zeros without one. */
  readonly groups: readonly GroupCount[];
  readonly topHits: number;
  /** Null: the data was not fresh for 30 days, so nothing was measured. */
  readonly turnover: { readonly names: Turnover; readonly all: Turnover } | null;
};

export type Learning = {
  readonly shipped: LearnedTable;
  /** What the last run of an earlier day left: memory and nights. Null: there was none. */
  readonly before: LearnedTable | null;
  /** The table of an earlier day that is in force: shares and classes move from it. */
  readonly inForce: LearnedTable;
  readonly counts: readonly SourceCount[];
  /** An own reference; null: the counts of the shipped table stay. */
  readonly reference: { readonly id: string; readonly hosts: number } | null;
  readonly day: string;
  readonly version: string;
};
