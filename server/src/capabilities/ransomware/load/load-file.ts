import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/postgres.ts';
import type { RansomwareSource } from '../sources.ts';
import { loadPosts } from './load-posts.ts';
import { type Content, readContent, type SourceFile, unpackFile } from './read-content.ts';
import { RefusedContent } from './refused-content.ts';
import { replaceGroups } from './group-write-store.ts';
import { replacePress } from './press-write-store.ts';
import { findSourceState, lockLoads, type SourceState, writeProblem, writeSourceState } from './source-store.ts';

export type LoadDeps = {
  readonly clock: Clock;
  readonly transaction: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
};

export type LoadOptions = {
  /** Accepts content that is older or much smaller than what is in use. */
  readonly force?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
};

export type LoadReport = {
  readonly source: string;
  readonly outcome: 'loaded' | 'unchanged' | 'refused';
  readonly dataAt: string;
  /** Rows of the file that could be used. */
  readonly rows: number;
  /** Rows that could not, by reason. */
  readonly refused: Readonly<Record<string, number>>;
  /** Claims that no other post had made before. */
  readonly newClaims: number;
  /** Where a killed load went on. */
  readonly resumedAt: number;
  readonly reason: string | null;
};

const SHARE_MIN = 0.5;

/**
 * Loads one file of a source. The same file again writes nothing; a file that was loaded in part goes on where it stopped;
 * a refused file leaves what is in use and its sentence in the state of the source.
 */
export async function loadFile(
  deps: LoadDeps,
  source: RansomwareSource,
  file: SourceFile,
  options: LoadOptions = {},
): Promise<LoadReport> {
  const report = { source: source.id, dataAt: new Date(file.dataAtMs).toISOString(), reason: null };
  try {
    const { text, sha256 } = await unpackFile(file);
    const state = await deps.transaction((tx) => findSourceState(tx, source.id));
    if (state?.files.includes(sha256) === true) {
      if (state.problem !== null) await deps.transaction((tx) => writeProblem(tx, source.id, null));
      return { ...report, outcome: 'unchanged', rows: state.records, refused: {}, newClaims: 0, resumedAt: 0 };
    }
    const content = readContent(source, text, file.dataAtMs);
    const loaded = await write(deps, { source, content, sha256, dataAtMs: file.dataAtMs, state, options });
    return { ...report, outcome: 'loaded', rows: content.rows.length, refused: content.refused, ...loaded };
  } catch (error) {
    if (!(error instanceof RefusedContent)) throw error;
    const reason = `${file.label}: ${error.message}`.slice(0, 1_000);
    await deps.transaction((tx) => writeProblem(tx, source.id, reason));
    return { ...report, outcome: 'refused', rows: 0, refused: {}, newClaims: 0, resumedAt: 0, reason };
  }
}

export type Loading = {
  readonly source: RansomwareSource;
  readonly content: Content;
  readonly sha256: string;
  readonly dataAtMs: number;
  readonly state: SourceState | undefined;
  readonly options: LoadOptions;
};

async function write(deps: LoadDeps, loading: Loading): Promise<{ readonly newClaims: number; readonly resumedAt: number }> {
  const { source, content, options } = loading;
  if (content.holds === 'posts') return loadPosts(deps, loading, content.rows);
  if (options.force !== true) refuseLess(loading);
  await deps.transaction(async (tx) => {
    await lockLoads(tx);
    if (content.holds === 'groups') await replaceGroups(tx, source.id, content.rows);
    else await replacePress(tx, source.id, content.rows);
    await writeSourceState(tx, stateAfter(loading, deps.clock.now(), content.rows.length));
  });
  options.onProgress?.(content.rows.length, content.rows.length);
  return { newClaims: 0, resumedAt: 0 };
}

/** Rows of groups and articles are replaced as a whole, so a file with less than half of them is not taken by itself. */
function refuseLess({ content, dataAtMs, state }: Loading): void {
  if (state === undefined) return;
  if (dataAtMs < state.dataAtMs)
    throw new RefusedContent('Its data is older than what is in use. Load it with --force to go back.');
  if (content.rows.length < state.records * SHARE_MIN)
    throw new RefusedContent(
      `${content.rows.length} rows are less than half of the ${state.records} in use. Load it with --force if that is right.`,
    );
}

const FILES_KEPT = 20;

export const stateAfter = (
  { source, content, sha256, dataAtMs, state }: Loading,
  nowMs: number,
  records: number,
): SourceState => ({
  id: source.id,
  dataAtMs: Math.max(dataAtMs, content.holds === 'posts' ? (state?.dataAtMs ?? 0) : 0),
  loadedAtMs: nowMs,
  records,
  refused: content.refused,
  // Content that is replaced can come back; posts only add up.
  files: content.holds === 'posts' ? [sha256, ...(state?.files ?? [])].slice(0, FILES_KEPT) : [sha256],
  problem: null,
});
