import {
  type CorpusWriteDeps,
  findSource,
  type ListedRow,
  mergeSnapshot,
  type SourceSettings,
} from '#capabilities/corpus/index.ts';
import type { Lines } from './read-lines.ts';
import { type Rejections, SnapshotReader } from './snapshot-reader.ts';

export type ImportOptions = {
  /** Date of the data: the publisher's, else the file's; never the time of the import (scoring ruling 1). */
  readonly dataAtMs: number;
  /** What the operator says about the source; a new one gets the registry's defaults for the rest. */
  readonly settings?: SourceSettings;
  /** Called after each batch of lines with the number read so far. */
  readonly onProgress?: (lines: number) => void;
};

export type ImportReport = {
  readonly sourceId: string;
  readonly isNew: boolean;
  readonly lines: number;
  readonly entries: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly rejections: Rejections;
  readonly seq: number;
};

/** Enough entries to say what a list is of. */
const SAMPLE_ROWS = 500;
const SAMPLE_SHARE = 0.9;

/** Makes the lines the content of a source, all or nothing; a list that is not one leaves the last good content. */
export async function importPlainList(
  deps: CorpusWriteDeps,
  sourceId: string,
  lines: Lines,
  options: ImportOptions,
): Promise<ImportReport> {
  const known = await findSource(deps.system.db, sourceId);
  const reader = new SnapshotReader(
    sourceId,
    options.settings?.threatClass ?? known?.threatClass ?? 'threat',
  );
  const rows = reader.rows(reporting(lines, reader, options.onProgress));
  const sample = await take(rows, SAMPLE_ROWS);
  const inferred = known === undefined ? { type: typeOf(sample) } : {};
  const report = await mergeSnapshot(deps, sourceId, chain(sample, rows), {
    dataAtMs: options.dataAtMs,
    settings: { ...inferred, ...options.settings },
    rejected: () => reader.rejected,
  });
  const { source, ...counts } = report;
  return {
    sourceId,
    isNew: known === undefined,
    lines: reader.lines,
    entries: source.entries,
    ...counts,
    rejected: reader.rejected,
    rejections: reader.rejections,
  };
}

async function* reporting(
  lines: Lines,
  reader: SnapshotReader,
  onProgress?: (lines: number) => void,
): AsyncGenerator<readonly string[]> {
  for await (const batch of lines) {
    yield batch;
    onProgress?.(reader.lines);
  }
}

async function take(rows: AsyncIterator<ListedRow>, countMax: number): Promise<readonly ListedRow[]> {
  const taken: ListedRow[] = [];
  while (taken.length < countMax) {
    const next = await rows.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

async function* chain(head: readonly ListedRow[], tail: AsyncIterable<ListedRow>): AsyncGenerator<ListedRow> {
  yield* head;
  yield* tail;
}

/** `ip`, `domain`, `url`, `hash` or `email` when nine entries in ten are of one kind, else `mixed`. */
function typeOf(rows: readonly ListedRow[]): string {
  const counts = new Map<string, number>();
  for (const { indicator } of rows) {
    const type = indicator.kind === 'cidr' ? 'ip' : indicator.kind;
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  for (const [type, count] of counts) if (count >= rows.length * SAMPLE_SHARE) return type;
  return 'mixed';
}
