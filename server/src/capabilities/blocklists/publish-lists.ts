import { type BuildResult, type RecordGiven, recordBuild } from '#capabilities/publications/index.ts';
import type { Db } from '#platform/postgres.ts';
import type { BuildDeps } from './build-list.ts';
import { buildLists, type ListReport } from './build-lists.ts';
import { LIST_NAMES, type ListName } from './list-names.ts';
import { listStates, noteFailure } from './store.ts';

/** Builds all eight lists and records how that ended, for the status pages and the 503 of a list that is not there. */
export async function publishLists(deps: BuildDeps, given: RecordGiven = {}): Promise<readonly ListReport[]> {
  const startedMs = deps.clock.now();
  try {
    return await recordBuild(deps, 'blocklists', () => buildLists(deps, LIST_NAMES, given.signal), {
      ...given,
      resultOf,
    });
  } catch (error) {
    // A build that is cut off leaves lists of which nothing else would say that they are behind.
    await deps
      .transaction((tx) => noteUnchecked(tx, startedMs, deps.clock.now(), textOf(error)))
      .catch(() => undefined);
    throw error;
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function resultOf(reports: readonly ListReport[]): BuildResult {
  // No list is built before every indicator has a score, nor where nothing is imported.
  if (reports.length === 0) return { outcome: 'waiting', isExpected: false };
  const [failed, held] = (['failed', 'held'] as const).map((wanted) =>
    reports.filter(({ outcome }) => outcome === wanted),
  );
  const first = failed?.[0];
  if (first?.outcome === 'failed')
    return { outcome: 'failed', message: `${failed?.length} of ${reports.length} lists: ${first.failure}` };
  const entries = reports.reduce((sum, report) => sum + ('lines' in report ? report.lines : 0), 0);
  if (held !== undefined && held.length > 0)
    return { outcome: 'held', entries, message: heldWords(held.map(({ list }) => list)) };
  return { outcome: 'published', entries };
}

const heldWords = (lists: readonly string[]): string =>
  `${lists.join(', ')} would lose half of ${lists.length === 1 ? 'its' : 'their'} lines, so the last version is still served. Look at it, then: npm run admin -- lists release ${lists[0]}`;

async function noteUnchecked(tx: Db, startedMs: number, nowMs: number, failure: string): Promise<void> {
  const checked = new Set<ListName>(
    (await listStates(tx)).flatMap(({ list, checkedAtMs }) =>
      (checkedAtMs ?? 0) >= startedMs ? [list] : [],
    ),
  );
  for (const list of LIST_NAMES) if (!checked.has(list)) await noteFailure(tx, list, nowMs, failure);
}
