import { join } from 'node:path';
import type { HistoryFile } from '#capabilities/catalogue/index.ts';
import type { PlannedSource } from './plan-import.ts';
import { readHistory, type Sightings } from './read-history.ts';

/** Keeps only the history read last: sources that share one are imported one after another. */
export function openHistories(
  files: readonly HistoryFile[],
  folder: string,
  rebaseMs: number,
): (planned: PlannedSource) => Promise<Sightings | null> {
  const bySource = new Map(files.flatMap(({ path, sources }) => sources.map((id) => [id, path])));
  let last: { readonly name: string; readonly sightings: Promise<Sightings | null> } | null = null;
  return ({ row, dataAtMs }) => {
    const path = bySource.get(row.id);
    if (path === undefined) {
      last = null;
      return Promise.resolve(null);
    }
    const name = `${path} ${dataAtMs}`;
    if (last?.name !== name)
      last = { name, sightings: readHistory(join(folder, path), { latestMs: dataAtMs, rebaseMs }) };
    return last.sightings;
  };
}
