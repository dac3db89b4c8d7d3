import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { findSource } from '#capabilities/corpus/index.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { listScheduledIds } from './store.ts';
import { rowOfSubmittedSource } from './submitted-row.ts';

/** The row by which the pipeline reads a source: its row in the catalogue, else that of an approved proposal. */
export async function findFetchRow(
  { system, catalogue }: { readonly system: Postgres; readonly catalogue: readonly CatalogueRow[] },
  sourceId: string,
): Promise<CatalogueRow | undefined> {
  const row = catalogue.find(({ id }) => id === sourceId);
  if (row !== undefined) return row;
  const source = await findSource(system.db, sourceId);
  return source === undefined ? undefined : (rowOfSubmittedSource(source) ?? undefined);
}

export async function idsOutsideCatalogue(
  db: Db,
  catalogue: readonly CatalogueRow[],
): Promise<readonly string[]> {
  const known = new Set(catalogue.map(({ id }) => id));
  return (await listScheduledIds(db)).filter((id) => !known.has(id));
}
