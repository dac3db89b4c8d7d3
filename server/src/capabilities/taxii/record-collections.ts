import { type RecordDeps, type RecordGiven, recordBuild } from '#capabilities/publications/index.ts';
import { countObjects } from './count-store.ts';
import type { SyncReport } from './keep-collections.ts';

/** Brings the collections up to date and records how that ended, for the status pages and the 503 of a collection. */
export async function recordCollections(
  deps: RecordDeps,
  sync: () => Promise<SyncReport>,
  given: RecordGiven = {},
): Promise<SyncReport> {
  const { report } = await recordBuild(
    deps,
    'taxii',
    async () => {
      const report = await sync();
      const isMoved = report.published + report.left > 0;
      const collections = isMoved ? await deps.transaction(countObjects) : [];
      return { report, entries: isMoved ? Math.max(0, ...collections.map(({ objects }) => objects)) : null };
    },
    {
      ...given,
      resultOf: ({ report: { isOurs, isWaiting }, entries }) => {
        if (isWaiting === true) return { outcome: 'waiting', isExpected: false };
        // Another run is at work and records how it ends.
        return isOurs ? { outcome: 'published', entries } : null;
      },
    },
  );
  return report;
}
