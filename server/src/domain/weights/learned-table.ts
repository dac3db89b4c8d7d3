import type { AgeGroup } from './age-group.ts';

/**
 * Whether a list takes entries back. `removes`: at least 5 % of its young entries leave within 30 days. `keeps`: it is an
 * archive, or takes nearly nothing back although people visit some of its entries. `unknown`: everything else.
 */
export const LIST_CLASSES = ['removes', 'keeps', 'unknown'] as const;
export type ListClass = (typeof LIST_CLASSES)[number];

/** One age group of the names of one source. */
export type Cell = {
  readonly source: string;
  readonly group: AgeGroup;
  /** Entries, with those that left and still count; may be a fraction. */
  readonly n: number;
  /** Of the hosts that people visit, those that the entries accuse. */
  readonly h: number;
  /** The share of the entries that people visit, as it is in force. */
  readonly f: number;
  /** What one such listing is worth alone, before age, cap and least. */
  readonly points: number;
  /** Nights on which this deployment has learned the cell; absent: the cell comes with the release. */
  readonly nights?: number;
  /** Nights in a row that asked to cross the border of a level, 0 to 3. */
  readonly asked?: number;
  /** What left the cell, halved every 90 days. */
  readonly gone?: { readonly n: number; readonly h: number };
};

/** What is known of one source as a whole. */
export type ListRecord = {
  readonly source: string;
  /** The declared operator, the source itself without one. */
  readonly lineage: string;
  readonly category: string;
  readonly class: ListClass;
  /** True: the source says itself that it keeps its entries, so nothing that is measured decides its class. */
  readonly declared?: boolean;
  /** The share of all its names that people visit, as if it had one cell. */
  readonly share: number;
  /** Entries of 14 to 60 days that were looked at again after 30 days. */
  readonly judged: number;
  /** Of these, the share that left; null: never measured. */
  readonly r30: number | null;
  /** Of the entries that left, the share that came back within 30 days; null: never measured. */
  readonly back30: number | null;
  /** Nights in a row on which a measurement asked for another class. */
  readonly asked?: { readonly class: ListClass; readonly nights: number };
  /** Names that are also among the first 100,000 of the operator's top lists. */
  readonly topHits?: number;
  /** By what the alarm of the top lists multiplies the shares of the source; absent: no alarm. */
  readonly alarm?: number;
};

/** How many names below a platform people visit. */
export type PlatformSize = { readonly suffix: string; readonly size: number };

/** The hosts that people visit, of which the hits were counted. */
export type ReferenceFacts = {
  readonly id: string;
  readonly hosts: number;
  /** True: the one that the counts of the release come from. */
  readonly shipped: boolean;
  /** What one host of an own reference counts. */
  readonly scale?: number;
};

/** The weights of names: counts and shares, never a name of a list or of a reference. */
export type LearnedTable = {
  readonly version: string;
  readonly model: number;
  /** The day (UTC) on which it was learned, as `YYYY-MM-DD`. */
  readonly learnedAt: string;
  /** The version of the shipped table that it was learned with; absent: it is a shipped table itself. */
  readonly base?: string;
  readonly reference: ReferenceFacts;
  readonly cells: readonly Cell[];
  readonly lists: readonly ListRecord[];
  readonly platforms: readonly PlatformSize[];
};
