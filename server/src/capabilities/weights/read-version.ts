import { readFile } from 'node:fs/promises';
import { SHIPPED_BOOK, type WeightBook, weightBookOf } from '#domain/weights/index.ts';
import type { Artifacts } from '#platform/artifacts.ts';
import type { WeightVersion } from './store.ts';
import { parseTable } from './table-file.ts';

/** The book of a stored version; null stands for the shipped table. */
export async function readVersion(
  { openArtifact }: Pick<Artifacts, 'openArtifact'>,
  row: Pick<WeightVersion, 'version' | 'digest' | 'artifact'> | null,
): Promise<WeightBook> {
  if (row === null || row.artifact === null || row.digest === SHIPPED_BOOK.digest) return SHIPPED_BOOK;
  const file = await openArtifact(row.artifact);
  if (file === null) throw new Error(`The weights of version ${row.version} are not in the artifact store.`);
  return weightBookOf(parseTable(await readFile(file.path, 'utf8')), row.digest);
}
