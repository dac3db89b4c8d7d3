import { readFile } from 'node:fs/promises';
import type { Artifacts } from '#platform/artifacts.ts';
import type { Db } from '#platform/postgres.ts';
import { type AsnTable, openAsnTable } from './asn-table.ts';
import { newestVersions } from './store.ts';

export type OpenedNetworks = Pick<AsnTable, 'networkOf' | 'autonomousSystem'>;

/** Only the current table of networks, for a job that looks up a million addresses. Null when none is loaded. */
export async function openNetworks(db: Db, artifacts: Artifacts): Promise<OpenedNetworks | null> {
  const row = (await newestVersions(db)).find(({ kind }) => kind === 'asn');
  const file = row === undefined ? null : await artifacts.openArtifact(row.artifact);
  return file === null ? null : openAsnTable(await readFile(file.path));
}
