import { type BuildDeps, type BuildReport, buildList } from './build-list.ts';
import type { ListName } from './list-names.ts';
import { noteFailure } from './store.ts';

export type ListReport =
  | (BuildReport & { readonly error?: undefined })
  | {
      readonly list: ListName;
      readonly outcome: 'failed';
      readonly failure: string;
      readonly error: unknown;
    };

const FAILURE_MAX = 500;

/** Builds each list by itself: a list that fails keeps its last good file, and the other lists are still built. */
export async function buildLists(
  deps: BuildDeps,
  lists: readonly ListName[],
  signal?: AbortSignal,
): Promise<readonly ListReport[]> {
  const reports: ListReport[] = [];
  if ((await deps.source.isReady?.()) === false) return reports;
  for (const list of lists) {
    if (signal?.aborted === true) break;
    try {
      reports.push(await buildList(deps, list));
    } catch (error) {
      const failure = (error instanceof Error ? error.message : String(error)).slice(0, FAILURE_MAX);
      await deps.transaction((tx) => noteFailure(tx, list, deps.clock.now(), failure));
      reports.push({ list, outcome: 'failed', failure, error });
    }
  }
  return reports;
}
