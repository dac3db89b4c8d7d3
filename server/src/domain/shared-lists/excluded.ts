/** How many entries of a shared list or collection are listed by a source and were left out, by the reason. */
export type Excluded = {
  /** The score is below that of the list: 35, or 85 for the critical list. */
  readonly belowScore: number;
  /** Only sources list them whose license does not allow to pass them on, or that their operator does not export. */
  readonly license: number;
  /** An allowlist contains them, or a service range or a popular name. */
  readonly allowlisted: number;
};

export const NOTHING_EXCLUDED: Excluded = { belowScore: 0, license: 0, allowlisted: 0 };

export const excludedSum = ({ belowScore, license, allowlisted }: Excluded): number =>
  belowScore + license + allowlisted;

export const addExcluded = (counts: Excluded, reason: keyof Excluded, entries: number): Excluded => ({
  ...counts,
  [reason]: counts[reason] + entries,
});
