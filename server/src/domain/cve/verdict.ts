/** What one statement says about one component. */
export type Opinion = {
  readonly status: 'affected' | 'unaffected' | 'unknown';
  /**
   * Why it is unknown. `unordered`: a version cannot be compared. `environment`: something else must be present too.
   * `unstated`: the statement names the product, but not this version. `no-versions`: it names the product and no version at all.
   */
  readonly reason: UnknownReason | null;
  /** The first fixed version, if the statement names one. */
  readonly fixedVersion: string | null;
  /** True for the default status of a statement that does not name this version: any statement that names it counts instead. */
  readonly isDefault?: true;
};
export type UnknownReason =
  | 'no-version'
  | 'no-versions'
  | 'unordered'
  | 'environment'
  | 'commits'
  | 'unstated';

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
 * Rank of an opinion when several are added up. Another statement may decide what one leaves open; a version that could
 * not be compared may be affected, so it outranks `unaffected`.
 */
const weightOf = ({ status, reason }: Opinion): number => {
  if (status === 'affected') return 5;
  if (status === 'unaffected') return 2;
  return reason === 'unstated' ? 0 : reason === 'commits' ? 1 : reason === 'environment' ? 4 : 3;
};

/** Leaves out default statuses where a statement names the version. */
export function withoutDefaults<T extends Opinion>(opinions: readonly T[]): readonly T[] {
  const isDecisive = ({ status, isDefault }: Opinion) => status !== 'unknown' && isDefault !== true;
  return opinions.some(isDecisive) ? opinions.filter(({ isDefault }) => isDefault !== true) : opinions;
}

/** Adds up statements: the highest ranking opinion counts. Null if there is none. */
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
