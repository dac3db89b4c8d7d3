import { type RecordDeps, type RecordGiven, recordBuild } from '#capabilities/publications/index.ts';
import type { BuildReport } from './build-mmdb.ts';

/** Builds the database and records how that ended, for the status pages and the 503 of a missing file. */
export const publishMmdb = (
  deps: RecordDeps,
  build: () => Promise<BuildReport>,
  given: RecordGiven = {},
): Promise<BuildReport> =>
  recordBuild(deps, 'mmdb', build, {
    ...given,
    resultOf: ({ outcome, addresses, ranges }) => {
      if (outcome === 'waiting') return { outcome, isExpected: false };
      const entries = addresses + ranges;
      return outcome === 'held' ? { outcome, entries, message: HELD } : { outcome: 'published', entries };
    },
  });

const HELD =
  'The address database would lose half of its entries, so the last version is still served. Look at it, then: npm run admin -- mmdb release';
