import { buildLists, type ListEntry, type ListName } from '#capabilities/blocklists/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';

export type PutLists = {
  readonly system: Postgres;
  /** Folder in which the build keeps the files of earlier versions. */
  readonly dataDir: string;
  /** Version of the members; another text means that they changed. */
  readonly membership: string;
  readonly lists: ReadonlyMap<ListName, readonly ListEntry[]>;
};

/** Builds shared lists from given entries, as the worker does from standings. */
export async function putLists({ system, dataDir, membership, lists }: PutLists): Promise<void> {
  const clock = systemClock();
  const { openArtifact } = createArtifacts({ postgres: system, dataDir, log: createLog('silent'), clock });
  const source = {
    entriesOf: async function* (list: ListName) {
      yield lists.get(list) ?? [];
    },
    membershipVersion: async () => membership,
  };
  const deps = { clock, source, openArtifact, transaction: system.transaction };
  for (const report of await buildLists(deps, [...lists.keys()]))
    if (report.outcome !== 'built') throw new Error(`${report.list}: ${JSON.stringify(report)}`);
}
