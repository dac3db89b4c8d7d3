import type { GateError, SnapshotCounts } from '#capabilities/lists/index.ts';
import type { Db } from '#platform/postgres.ts';
import type { DatasetCursor, DatasetDeps, Fetchable } from '../contract.ts';
import type { FetchedDataset, FetchGiven } from '../fetch/fetch-dataset.ts';
import type { VolumeBand } from '../runs/judge-volume.ts';

/** One data set that is no source of listings, such as CVE records: how it is fetched, judged and loaded. */
export type DatasetDefinition = Fetchable &
  VolumeBand & {
    readonly name: string;
    readonly publisher: string;
    /** The capability that loads it; also its category in the freshness report. */
    readonly capability: string;
    readonly licence: string;
    readonly attribution?: string;
    /** Age after which the data is called stale. */
    readonly staleAfterMs: number;
    /** True: a new deployment fetches it without configuration. */
    readonly isDefault: boolean;
    /** For publishers that are asked for pages or changes; when absent, `urls` are the parts of one snapshot. */
    readonly download?: (
      deps: DatasetDeps,
      row: Fetchable,
      given: FetchGiven,
      cursor: DatasetCursor,
    ) => Promise<FetchedDataset>;
    /** Reads and stores files. The data, `content.record` and the cursor commit in one transaction. */
    readonly load: (deps: LoadDeps, content: LoadContent) => Promise<LoadReport>;
    /** Builds the records that combine all data sets of the capability; `load` does so too without `isFollowed`. */
    readonly finish?: (deps: LoadDeps, options: FinishOptions) => Promise<unknown>;
  };

export type FinishOptions = {
  readonly onProgress?: (records: number) => void;
  readonly signal?: AbortSignal;
};

export type LoadDeps = Pick<DatasetDeps, 'system' | 'clock' | 'log' | 'dataDir'>;

export type LoadContent = {
  readonly datasetId: string;
  readonly number: number;
  readonly paths: readonly string[];
  /** Identifies the content of all paths, so that a repeated load finds the staging of a killed one. */
  readonly sha256: string;
  readonly dataAtMs: number;
  /** Where the last load ended; null before the first load. */
  readonly cursor: DatasetCursor;
  /** Where the next download starts, by this one; absent when `urls` are a snapshot, and for an operator's files. */
  readonly nextCursor?: DatasetCursor;
  /** Throws a GateError when the counts are outside the band; call it before anything of the content is visible. */
  readonly judge: (counts: SnapshotCounts, entries: number) => void;
  /** True: an operator accepts the content although this gate refuses it. Absent in runs of the worker. */
  readonly overrule?: (gate: GateError) => boolean;
  /** Records the good run; call it in the transaction that makes the content visible. */
  readonly record: (tx: Db, report: LoadReport) => Promise<void>;
  /** True: more files follow, and `finish` is called after the last one. */
  readonly isFollowed?: boolean;
  readonly onProgress?: (records: number) => void;
  readonly signal?: AbortSignal;
};

export type LoadReport = {
  /** Records that the data set has now. */
  readonly entries: number;
  readonly counts: SnapshotCounts;
  readonly delta: { readonly added: number; readonly removed: number; readonly changed: number };
  /** Where the next download starts; absent: as before. */
  readonly cursor?: DatasetCursor;
  /** The date of the data by its own account, where the content says it. */
  readonly dataAtMs?: number;
};
