/** What one statement says about one component. */
export type Opinion = {
  readonly status: 'affected' | 'unaffected' | 'unknown';
  /**
   * Why it is unknown. `unordered`: a version that cannot be compared. `environment`: something else has to be there too.
   * `unstated`: the statement names the product, and nothing about this version.
   */
  readonly reason: UnknownReason | null;
  /** The first version that is said to be repaired, where a range names one. */
  readonly fixedVersion: string | null;
};
export type UnknownReason = 'no-version' | 'unordered' | 'environment' | 'commits' | 'unstated';

export const UNAFFECTED: Opinion = { status: 'unaffected', reason: null, fixedVersion: null };
export const affectedUntil = (fixedVersion: string | null): Opinion => ({
  status: 'affected',
  reason: null,
  fixedVersion,
});
export const unknownFor = (reason: UnknownReason): Opinion => ({
  status: 'unknown',
  reason,
  fixedVersion: null,
});

/**
 * How strongly each opinion counts when several are added up. What one statement leaves open another may decide; a version
 * that could not be compared may be affected, so it outweighs `unaffected`.
 */
const weightOf = ({ status, reason }: Opinion): number => {
  if (status === 'affected') return 5;
  if (status === 'unaffected') return 2;
  return reason === 'unstated' ? 0 : reason === 'commits' ? 1 : reason === 'environment' ? 4 : 3;
};

/** Statements add up: the strongest opinion counts. Null for none. */
export function addUp<T extends Opinion>(opinions: readonly T[]): T | null {
  let strongest: T | null = null;
  for (const opinion of opinions)
    if (
      strongest === null ||
      weightOf(opinion) > weightOf(strongest) ||
      (weightOf(opinion) === weightOf(strongest) &&
        strongest.fixedVersion === null &&
        opinion.fixedVersion !== null)
    )
      strongest = opinion;
  return strongest;
}
