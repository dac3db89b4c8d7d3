import { findSource, type SourceSettings } from '#capabilities/corpus/index.ts';
import { ServiceError } from '#platform/errors.ts';
import { settingsOf } from '../catalogue/catalogue.ts';
import type { CatalogueRow } from '../catalogue/catalogue-row.ts';
import type { FormatSpec } from '../formats/format-spec.ts';
import { GateError, type Reason, type SnapshotCounts } from '../ingest/contract.ts';
import { type IngestDeps, ingestSnapshot } from '../ingest/ingest-snapshot.ts';
import { judgeSnapshot, NO_HISTORY } from '../pipeline/gates.ts';
import { holdSource } from '../pipeline/hold-source.ts';
import { clearQuarantine } from '../pipeline/quarantine.ts';
import { recordOfflineRun } from '../pipeline/record-offline-run.ts';
import { contentShaOf, fileSha256 } from './content-sha.ts';

export type FilesOptions = {
  /** Parts of one snapshot. */
  readonly files: readonly string[];
  /** Of all of them; the catalogue's own when absent, else a plain list. */
  readonly format?: FormatSpec;
  /** What the operator says about the source. */
  readonly settings: SourceSettings;
  readonly dataAtMs: number;
  /** True: the operator said the date, so one inside the file does not count. */
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
};

type Rules = Pick<CatalogueRow, 'volume' | 'rejectShareMax' | 'semantics' | 'entityTypes'>;

/** A list nobody has measured: any size, and half of it may be something else. */
const BY_HAND = {
  volume: { min: 1, max: 100_000_000 },
  rejectShareMax: 0.5,
  semantics: 'state',
  entityTypes: ['ip', 'domain', 'url', 'hash', 'email', 'asn', 'crypto', 'phone'],
} as const satisfies Rules;

/** Makes given files the content of a source, all or nothing; a list that is not one leaves the last good content. */
export async function importFiles(
  deps: IngestDeps & { readonly catalogue: readonly CatalogueRow[] },
  sourceId: string,
  options: FilesOptions,
): Promise<FilesReport> {
  const held = await holdSource(deps, sourceId);
  if (held === null)
    throw new ServiceError('Conflict', `A run of '${sourceId}' is going on; try again when it is over.`);
  try {
    return await importHeld(deps, sourceId, options);
  } finally {
    await held.release();
  }
}

async function importHeld(
  deps: IngestDeps & { readonly catalogue: readonly CatalogueRow[] },
  sourceId: string,
  options: FilesOptions,
): Promise<FilesReport> {
  const row = deps.catalogue.find(({ id }) => id === sourceId);
  const known = await findSource(deps.system.db, sourceId);
  const format = options.format ?? row?.format ?? { kind: 'plain' };
  const contentSha256 = contentShaOf(await Promise.all(options.files.map(fileSha256)));
  const startedAtMs = deps.clock.now();
  let [overruled, runId]: [string | null, string] = [null, ''];
  const report = await ingestSnapshot(deps, {
    sourceId,
    settings: { ...(known === undefined && row !== undefined ? settingsOf(row) : {}), ...options.settings },
    files: options.files.map((path) => ({ path, format })),
    dataAtMs: options.dataAtMs,
    trustDeclaredDate: options.isDateGiven !== true,
    judge: (counts) => {
      overruled = judge(sourceId, row ?? BY_HAND, counts, options.force === true);
    },
    // An operator's own list says what the operator means; a publisher's may say it by mistake.
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
    ...merge,
    ...figures,
  };
}

/** The sentence of the gate that was overruled; null when all is well. */
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
