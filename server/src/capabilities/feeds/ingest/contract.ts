import type { MergeReport, Source, SourceSettings } from '#capabilities/corpus/index.ts';
import type { FormatSpec, SnapshotCounts } from '#capabilities/lists/index.ts';
import type { Db } from '#platform/postgres.ts';

/** A downloaded or given file on disk; compression and archives are recognised by their first bytes. */
export type SnapshotFile = {
  readonly path: string;
  readonly format: FormatSpec;
  /** Family of each of its entries, unless an entry names its own. */
  readonly family?: string;
};

export type IngestOptions = {
  readonly sourceId: string;
  /** Registers the source, or changes the given settings, in the same transaction. */
  readonly settings?: SourceSettings;
  readonly files: readonly SnapshotFile[];
  /** The date of the data when the file itself does not declare one. */
  readonly dataAtMs: number;
  /** False: a date inside the file is ignored (offline data sets have the manifest's date). True when absent. */
  readonly trustDeclaredDate?: boolean;
  /** Added to every date: the constant of `--rebase`. */
  readonly rebaseMs?: number;
  /** First sightings from the recorded history of the list, by value; a date of the source itself is better. */
  readonly sightings?: ReadonlyMap<string, number>;
  /** Called when everything is read and nothing is committed; throws a GateError to keep the last good content. */
  readonly judge: (counts: SnapshotCounts, source: Source) => void;
  /** True: a snapshot without a single entry is accepted and empties the source. Broken ones are refused earlier. */
  readonly allowEmpty?: boolean;
  /** True: an operator released this snapshot from quarantine. */
  readonly isReleased?: boolean;
  /** True: canary values are dropped and counted as disposed. */
  readonly canaries: boolean;
  /** Runs in the transaction of the data, for ETag and run log. Not called when nothing is committed. */
  readonly record?: (tx: Db, report: IngestReport) => Promise<void>;
  readonly onProgress?: (lines: number) => void;
  readonly signal?: AbortSignal;
};

export type IngestReport = MergeReport & {
  readonly counts: SnapshotCounts;
  readonly dataAtMs: number;
  /** Milliseconds. Reading and parsing overlap the copy, so the parts do not add up to the total. */
  readonly timings: { readonly readMs: number; readonly mergeMs: number };
};
