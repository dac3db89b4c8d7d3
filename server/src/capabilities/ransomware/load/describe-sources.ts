import type { Db } from '#platform/postgres.ts';
import { RANSOMWARE_SOURCES, staleAfterMs } from '../sources.ts';
import { listSourceStates, listUnfinishedLoads } from './source-store.ts';

export type SourceStatus = {
  readonly id: string;
  readonly label: string;
  readonly licence: string;
  readonly status: 'fresh' | 'stale' | 'failing' | 'missing';
  readonly dataAt: string | null;
  readonly loadedAt: string | null;
  readonly records: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly problem: string | null;
  /** Rows of a load that did not end; the same file goes on there. */
  readonly unfinishedAt: number | null;
};

export async function describeSources(db: Db, nowMs: number): Promise<readonly SourceStatus[]> {
  const states = new Map((await listSourceStates(db)).map((state) => [state.id, state]));
  const unfinished = new Map((await listUnfinishedLoads(db)).map((load) => [load.sourceId, load.rowsDone]));
  return RANSOMWARE_SOURCES.map((source) => {
    const state = states.get(source.id);
    const hasContent = state !== undefined && state.files.length > 0;
    return {
      id: source.id,
      label: source.label,
      licence: source.licence,
      status: statusOf(hasContent, state?.problem ?? null, nowMs - (state?.dataAtMs ?? 0) > staleAfterMs(source)),
      dataAt: hasContent ? new Date(state.dataAtMs).toISOString() : null,
      loadedAt: hasContent ? new Date(state.loadedAtMs).toISOString() : null,
      records: state?.records ?? 0,
      refused: state?.refused ?? {},
      problem: state?.problem ?? null,
      unfinishedAt: unfinished.get(source.id) ?? null,
    };
  });
}

function statusOf(hasContent: boolean, problem: string | null, isOld: boolean): SourceStatus['status'] {
  if (problem !== null) return 'failing';
  if (!hasContent) return 'missing';
  return isOld ? 'stale' : 'fresh';
}
