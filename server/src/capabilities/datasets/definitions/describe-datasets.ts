import type { Postgres } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { DatasetDefinition } from './definition.ts';
import { type DatasetStatusRow, listDatasets } from './store.ts';

/** The category of files that are built from the other data for callers to download. While one is late, /health says degraded. */
export const PUBLICATION = 'publication';

/** Data that is no source of listings, as the freshness report shows it. */
export type OtherData = {
  readonly id: string;
  readonly label: string;
  readonly category: string;
  readonly isFailing: boolean;
  /** Null: never loaded. */
  readonly dataAtMs: number | null;
  readonly staleAfterMs: number;
  readonly records: number;
  readonly message: string | null;
  /** The stored problem of the last run; its first words name the cause. */
  readonly problem?: string | null;
  readonly nodesDiffer: boolean;
  /** By how many days its dates were moved when it was imported. */
  readonly movedDays?: number;
  /** What the operator should do; null when there is nothing to do. */
  readonly action: string | null;
};

/** The data sets that are loaded or fetched, for the freshness report. */
export async function describeDatasets(
  { postgres }: { readonly postgres: Postgres },
  definitions: readonly DatasetDefinition[],
): Promise<readonly OtherData[]> {
  const rows = new Map((await listDatasets(postgres.db)).map((row) => [row.id, row]));
  return definitions.flatMap((definition) => {
    const row = rows.get(definition.id);
    const isInUse =
      row !== undefined && (row.dataAtMs !== null || row.nextRunAtMs !== null || row.problem !== null);
    return isInUse ? [describe(definition, row)] : [];
  });
}

function describe(definition: DatasetDefinition, row: DatasetStatusRow): OtherData {
  const isFailing = row.problem !== null;
  return {
    id: definition.id,
    label: definition.name,
    category: definition.capability,
    isFailing,
    dataAtMs: row.dataAtMs,
    staleAfterMs: definition.staleAfterMs,
    records: row.entries,
    message: row.problem,
    problem: row.problem,
    nodesDiffer: false,
    movedDays: Math.round(row.rebaseMs / DAY_MS),
    action: isFailing ? actionFor(definition.id, row) : null,
  };
}

const actionFor = (id: string, { isReleasable }: DatasetStatusRow): string =>
  isReleasable === true
    ? `Look at the quarantined download of ${id} and release or discard it: \`npm run admin -- datasets list\`.`
    : `Find out why ${id} was not loaded; the message of the data set says what was seen.`;
