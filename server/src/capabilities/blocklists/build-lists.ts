import type { Excluded } from '#domain/shared-lists/index.ts';
import { type BuildDeps, type BuildReport, buildList } from './build-list.ts';
import type { ListName } from './list-names.ts';
import { listStates, noteFailure, saveExcluded } from './store.ts';

type Failed = {
  readonly list: ListName;
  readonly outcome: 'failed';
  readonly failure: string;
  readonly error: unknown;
};
type Outcome = (BuildReport & { readonly error?: undefined }) | Failed;

/** What became of a list, and what was left out of it; `excluded` is null until the list was built once. */
export type ListReport = Outcome & { readonly excluded: Excluded | null };

const FAILURE_MAX = 500;

/** Builds each list by itself: a list that fails keeps its last good file, and the other lists are still built. */
export async function buildLists(
  deps: BuildDeps,
  lists: readonly ListName[],
  signal?: AbortSignal,
): Promise<readonly ListReport[]> {
  const reports: Outcome[] = [];
  if ((await deps.source.isReady?.()) === false) return [];
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
  const excluded = await keepExcluded(deps, lists);
  return reports.map((report) => ({ ...report, excluded: excluded.get(report.list) ?? null }));
}

/** Counts what the lists leave out where that may have changed since the last count, whether a list changed or not. */
async function keepExcluded(
  { source, transaction }: BuildDeps,
  lists: readonly ListName[],
): Promise<ReadonlyMap<ListName, Excluded | null>> {
  const states = (await transaction(listStates)).filter(({ list }) => lists.includes(list));
  const version = await source.excluded?.version();
  if (version === undefined || states.every(({ excludedAs }) => excludedAs === version))
    return new Map(states.map(({ list, excluded }) => [list, excluded]));
  const counts = (await source.excluded?.count()) ?? null;
  if (counts !== null)
    await transaction(async (tx) => {
      for (const { list } of states) await saveExcluded(tx, list, counts[list], version);
    });
  return new Map(states.map(({ list }) => [list, counts?.[list] ?? null]));
}
