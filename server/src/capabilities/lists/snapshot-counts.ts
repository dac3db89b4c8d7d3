/** Why a piece of the file is not listed. `disposed`: a canary, which is dropped on purpose. */
export type Reason = {
  readonly kind: 'rejected' | 'unsupported' | 'disposed';
  readonly reason: string;
  readonly count: number;
  readonly example: string;
};

export type SnapshotCounts = {
  /** Pieces that the parser found: accepted + rejected + unsupported + disposed. */
  readonly lines: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unsupported: number;
  readonly disposed: number;
  /** Distinct values among the disposed, so that one mistake that is repeated counts once. */
  readonly disposedValues?: number;
  readonly reasons: readonly Reason[];
  /** New accepted entries by kind (a range counts as ip), which shows a list that was swapped for another. */
  readonly kinds?: Readonly<Record<string, number>>;
  /** Rejected entries of a kind that the list does not hold, by kind. */
  readonly refusedKinds?: Readonly<Record<string, number>>;
  readonly declaredDateMs: number | null;
  readonly bytes: number;
};
