import type { MergeReport, Source, SourceSettings } from '#capabilities/corpus/index.ts';
import type { Db } from '#platform/postgres.ts';
import type { FormatSpec } from '../formats/format-spec.ts';

/** A downloaded or given file on disk; compression and archives are recognised by their first bytes. */
export type SnapshotFile = {
  readonly path: string;
  readonly format: FormatSpec;
  /** Family of each of its entries, unless an entry names its own. */
  readonly family?: string;
};

/** Why something in the file is not listed. `disposed`: a canary, understood and thrown away on purpose. */
export type Reason = {
  readonly kind: 'rejected' | 'unsupported' | 'disposed';
  readonly reason: string;
  readonly count: number;
  readonly example: string;
};

export type SnapshotCounts = {
  /** Pieces the parser found: accepted + rejected + unsupported + disposed. */
  readonly lines: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unsupported: number;
  readonly disposed: number;
  /** Distinct values among them: a list that repeats one mistake has made one. */
  readonly disposedValues?: number;
  readonly reasons: readonly Reason[];
  /** What is new among the accepted ones, by kind (a range counts as ip): tells a list that was swapped for another. */
  readonly kinds?: Readonly<Record<string, number>>;
  /** The publisher's own date inside the file. */
  readonly declaredDateMs: number | null;
  /** Of all files, as they were on disk. */
  readonly bytes: number;
};

/** A snapshot that must not replace the last good one. `isReleasable`: an operator may overrule it. */
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
  | 'download';

export type IngestOptions = {
  readonly sourceId: string;
  /** Registers the source in the same transaction, or changes what is given of it. */
  readonly settings?: SourceSettings;
  readonly files: readonly SnapshotFile[];
  /** The date of the data when the file itself does not declare one. */
  readonly dataAtMs: number;
  /** False: a date inside the file is ignored (offline data sets have the manifest's date). True when absent. */
  readonly trustDeclaredDate?: boolean;
  /** Added to every date: the constant of `--rebase`. */
  readonly rebaseMs?: number;
  /** Asked when all has been read and nothing is committed: throws a GateError to keep the last good content. */
  readonly judge: (counts: SnapshotCounts, source: Source) => void;
  /** True: a snapshot without a single entry is taken as it is, and empties the source. Broken ones never get here. */
  readonly allowEmpty?: boolean;
  /** True: canary values are dropped and counted as disposed. */
  readonly canaries: boolean;
  /** In the same transaction as the data: etag, run log. Not called when nothing is committed. */
  readonly record?: (tx: Db, report: IngestReport) => Promise<void>;
  /** Called now and then with the number of lines read. */
  readonly onProgress?: (lines: number) => void;
  readonly signal?: AbortSignal;
};

export type IngestReport = MergeReport & {
  readonly counts: SnapshotCounts;
  readonly dataAtMs: number;
  /** Milliseconds: reading and parsing overlap the copy, so the parts do not add up to the whole. */
  readonly timings: { readonly readMs: number; readonly mergeMs: number };
};
