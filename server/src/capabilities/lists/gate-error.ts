import type { SnapshotCounts } from './snapshot-counts.ts';

/** Refuses a snapshot, so that it does not replace the last good one. `isReleasable`: an operator may overrule it. */
export class GateError extends Error {
  readonly gate: Gate;
  readonly isReleasable: boolean;
  readonly counts: SnapshotCounts | null;
  constructor(gate: Gate, sentence: string, isReleasable: boolean, counts: SnapshotCounts | null = null) {
    super(sentence);
    this.name = 'GateError';
    this.gate = gate;
    this.isReleasable = isReleasable;
    this.counts = counts;
  }
}
export type Gate =
  | 'empty'
  | 'web-page'
  | 'not-text'
  | 'truncated'
  | 'archive'
  | 'too-large'
  | 'wrong-format'
  | 'volume'
  | 'rejects'
  | 'canaries'
  /** A field that the publisher usually fills in is missing from too many records. */
  | 'nulls'
  /** The publisher sent an older edition than the one that is loaded. */
  | 'older'
  | 'download';
