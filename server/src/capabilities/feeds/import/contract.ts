import type { CatalogueRow, HistoryFile, OfflineFile } from '#capabilities/catalogue/index.ts';
import type { Source } from '#capabilities/corpus/index.ts';
import type { SnapshotCounts } from '#capabilities/lists/index.ts';
import type { IngestDeps } from '../ingest/ingest-snapshot.ts';
import type { NotImported } from './plan-import.ts';

export type OfflineDeps = IngestDeps & {
  readonly catalogue: readonly CatalogueRow[];
  readonly offlineFiles: readonly OfflineFile[];
  /** Files of recorded first sightings that lie beside the lists; none when absent. */
  readonly historyFiles?: readonly HistoryFile[];
};

export type ManifestOptions = {
  /** Moves every date of listings forward by one constant, so that the newest day is today. */
  readonly rebase?: boolean;
  /** Reads and compares even content that was imported before. */
  readonly reread?: boolean;
  /** Sources that are imported although a gate refuses them, where an operator may overrule that gate. */
  readonly accept?: readonly string[];
  readonly onSource?: (outcome: SourceOutcome) => void;
  readonly onProgress?: (progress: ManifestProgress) => void;
  readonly signal?: AbortSignal;
};

export type ManifestProgress = {
  readonly rows: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly label: string;
};

export type SourceOutcome = {
  readonly id: string;
  readonly threatClass: Source['threatClass'];
  /**
   * `unchanged`: the same content was imported before and was not read again. `quarantined`: a gate refused it.
   * `refused`: a file is missing or does not match the manifest. `held`: an operator rolled this content back.
   */
  readonly status: 'imported' | 'unchanged' | 'quarantined' | 'refused' | 'held';
  /** One sentence for the operator; null when it was imported. */
  readonly reason: string | null;
  readonly dataAtMs: number;
  readonly files: number;
  readonly bytes: number;
  /** Null when the files were not read. */
  readonly counts: SnapshotCounts | null;
  readonly entries: number;
  readonly duplicates: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
};

export type ManifestReport = {
  readonly sources: readonly SourceOutcome[];
  readonly variants: readonly NotImported[];
  readonly leftOut: readonly NotImported[];
  readonly unknown: readonly NotImported[];
  readonly absent: readonly NotImported[];
  readonly rebaseMs: number;
  /** True: the corpus was empty and everything was sorted into place at once. */
  readonly isFirstLoad: boolean;
  readonly seconds: number;
};
