import type { FpRisk, ListedType, ScoreCategory } from './model.ts';

/** One source accuses: everything the arithmetic needs and nothing else. */
export type Opinion = {
  readonly sourceId: string;
  readonly type: ListedType;
  readonly category: ScoreCategory;
  readonly fpRisk: FpRisk;
  /** 0 to 1. */
  readonly reliability: number;
  /** Sources of one lineage are one opinion (ruling 4). */
  readonly lineage: string;
  readonly isAggregate: boolean;
  /** Grade A of the Admiralty scale. */
  readonly isGradeA: boolean;
  /** After grace. */
  readonly ageDays: number;
  /** No longer listed, fading (ruling 5). */
  readonly isDelisted: boolean;
  /** Section 4: how much of what is said about the listed thing is said about the one that was asked for. */
  readonly matchFactor: number;
};
