import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import {
  type CorpusWriteDeps,
  findSource,
  registerSource,
  type Source,
  type SourceSettings,
} from '#capabilities/corpus/index.ts';
import { settingsToWrite } from './own-list.ts';

/** Registers a source without content, or changes the given settings of one. */
export async function addSource(
  deps: CorpusWriteDeps & { readonly catalogue: readonly CatalogueRow[] },
  id: string,
  given: SourceSettings,
): Promise<Source> {
  const row = deps.catalogue.find((each) => each.id === id);
  const known = await findSource(deps.system.db, id);
  return registerSource(deps, id, settingsToWrite({ row, known }, given));
}
