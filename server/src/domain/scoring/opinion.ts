import type { FpRisk, ListedType, ScoreCategory } from './model.ts';
import type { NameWorth } from './name-worth.ts';

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
  readonly isGradeA: boolean;
  /** An operator's own list, or the caller's organization: what they say is no noise of a sensor, so no limit of one origin applies. */
  readonly isOwnWord?: boolean;
  /** The age of the listing, counted from the end of its grace. */
  readonly ageDays: number;
  /** The entry has no date and its source keeps entries for years, so its age is unknown. */
  readonly isUndated: boolean;
  /** Its source publishes entries of this kind after another source of the lineage did. */
  readonly isEchoing: boolean;
  /** No longer listed by its source, but still fading (ruling 5). */
  readonly isDelisted: boolean;
  /** The period of its list is over (O81), so it weighs nothing. */
  readonly isExpired?: boolean;
  /** Of a listed name: what the listing is worth alone. Absent for other kinds, and for a list that an operator imported. */
  readonly name?: Pick<NameWorth, 'share' | 'decay' | 'cap' | 'least' | 'isYoung'>;
  /** The most points of this listing alone, where it has no worth of its own as a name. */
  readonly cap?: number;
  /** What counts of an entry that left its list. */
  readonly back?: number;
  /** From 0.2 to 1: the publisher's own confidence in the entry. */
  readonly certainty?: number;
  /** Days from which a listed name fades, where it fades. */
  readonly fadeDays?: number;
  /** How much of an accusation of the listed value applies to the subject (scoring 4). */
  readonly matchFactor: number;
};
