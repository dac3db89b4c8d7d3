import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { findSource, type Source, type SourceSettings } from '#capabilities/corpus/index.ts';
import {
  clearQuarantine,
  contentShaOfFiles,
  holdIdleDataset,
  NO_HISTORY,
  recordOfflineRun,
} from '#capabilities/datasets/index.ts';
import type { FormatSpec, Reason, SnapshotCounts } from '#capabilities/lists/index.ts';
import { GateError } from '#capabilities/lists/index.ts';
import { ServiceError } from '#platform/errors.ts';
import { type IngestDeps, ingestSnapshot } from '../ingest/ingest-snapshot.ts';
import { judgeSnapshot } from '../pipeline/gates.ts';
import { settingsToImport } from './own-list.ts';

export type FilesOptions = {
  readonly files: readonly string[];
  /** The format of all files; when absent, the catalogue's, else a plain list. */
  readonly format?: FormatSpec;
  readonly settings: SourceSettings;
  readonly dataAtMs: number;
  /** True: the operator gave the date, so a date inside the file does not count. */
  readonly isDateGiven?: boolean;
  /** Overrules the gates that an operator may overrule. */
  readonly force?: boolean;
  readonly onProgress?: (lines: number) => void;
  readonly signal?: AbortSignal;
};

export type FilesReport = {
  readonly sourceId: string;
  readonly isNew: boolean;
  readonly runId: string;
  readonly dataAt: string;
  readonly lines: number;
  readonly entries: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly duplicates: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unsupported: number;
  readonly disposed: number;
  readonly reasons: readonly Reason[];
  readonly seq: number;
  /** The source as the import left it. */
  readonly source: Source;
};

type Rules = Pick<CatalogueRow, 'volume' | 'rejectShareMax' | 'semantics' | 'entityTypes'>;

/** Gates for a list without a catalogue row: any size and kind, and up to half of its lines may be rejected. */
const BY_HAND = {
  volume: { min: 1, max: 100_000_000 },
  rejectShareMax: 0.5,
  semantics: 'state',
  entityTypes: ['ip', 'domain', 'url', 'hash', 'email', 'asn', 'crypto', 'phone'],
} as const satisfies Rules;

/** Makes the given files the content of a source, all or nothing; a refused list leaves the last good content. */
export const importFiles = (
  deps: IngestDeps & { readonly catalogue: readonly CatalogueRow[] },
  sourceId: string,
  options: FilesOptions,
): Promise<FilesReport> => holdIdleDataset(deps, sourceId, () => importHeld(deps, sourceId, options));

async function importHeld(
  deps: IngestDeps & { readonly catalogue: readonly CatalogueRow[] },
  sourceId: string,
  options: FilesOptions,
): Promise<FilesReport> {
  const row = deps.catalogue.find(({ id }) => id === sourceId);
  const known = await findSource(deps.system.db, sourceId);
  const format = options.format ?? row?.format ?? { kind: 'plain' };
  const contentSha256 = await contentShaOfFiles(options.files);
  const startedAtMs = deps.clock.now();
  let [overruled, runId]: [string | null, string] = [null, ''];
  const report = await ingestSnapshot(deps, {
    sourceId,
    settings: settingsToImport({ row, known }, options.settings),
    files: options.files.map((path) => ({ path, format })),
    dataAtMs: options.dataAtMs,
    trustDeclaredDate: options.isDateGiven !== true,
    judge: (counts) => {
      overruled = judge(sourceId, row ?? BY_HAND, counts, options.force === true);
    },
    // A list without a catalogue row is the operator's own, and an operator lists a canary on purpose.
    canaries: row !== undefined && row.canaries !== 'off',
    record: async (tx, { source, counts, added, removed, changed, unchanged, dataAtMs }) => {
      await clearQuarantine(tx, source.number);
      runId = await recordOfflineRun(tx, {
        sourceNumber: source.number,
        startedAtMs,
        finishedAtMs: deps.clock.now(),
        mergedAtMs: Math.round(source.lastFetchAtS * 1_000),
        dataAtMs,
        contentSha256,
        counts,
        entries: added + changed + unchanged,
        delta: { added, removed, changed },
        rebaseMs: 0,
        overruled,
      });
    },
    ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const { source, counts, dataAtMs, timings: _timings, ...merge } = report;
  const { bytes: _bytes, declaredDateMs: _declared, ...figures } = counts;
  return {
    sourceId,
    isNew: known === undefined,
    runId,
    dataAt: new Date(dataAtMs).toISOString(),
    entries: source.entries,
    source,
    ...merge,
    ...figures,
  };
}

/** The message of the gate that was overruled; null when every gate passed. */
function judge(sourceId: string, rules: Rules, counts: SnapshotCounts, force: boolean): string | null {
  try {
    judgeSnapshot(rules, NO_HISTORY, counts);
    return null;
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    if (force && error.isReleasable) return `Imported by an operator although: ${error.message}`;
    throw new ServiceError(
      'Unprocessable Content',
      `The list for '${sourceId}' was not taken; its last good content was kept. ${error.message}${error.isReleasable ? ' Add --force to take it all the same.' : ''}`,
    );
  }
}
