import { type CatalogueRow, settingsOf } from '#capabilities/catalogue/index.ts';
import { findSource, registerSource, type Source } from '#capabilities/corpus/index.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import type { PipelineDeps } from '../pipeline/contract.ts';

type SwitchDeps = Pick<PipelineDeps, 'system' | 'clock' | 'catalogue' | 'keys'>;

export type EnabledSource = {
  readonly source: Source;
  readonly row: CatalogueRow;
  /** The publisher wants a key that is not configured, so the source is not fetched yet. */
  readonly isKeyMissing: boolean;
};

/** Lets the worker fetch a source of the catalogue by its interval. */
export async function enableSource(
  deps: SwitchDeps,
  id: string,
  { acceptLicence = false }: { readonly acceptLicence?: boolean } = {},
): Promise<EnabledSource> {
  const row = deps.catalogue.find((each) => each.id === id);
  const known = await findSource(deps.system.db, id);
  if (row === undefined && known === undefined)
    throw new ServiceError('Not Found', `There is no source '${id}'. See: feeds catalogue`);
  if (row === undefined)
    throw new ServiceError(
      'Conflict',
      `'${id}' is not in the catalogue, so the worker does not know how to read it. Bring its content with: feeds import ${id} FILE`,
    );
  if (row.licence.optIn === true && !acceptLicence)
    throw new ServiceError(
      'Conflict',
      `'${id}' comes under terms you have to accept first: ${row.licence.name}. If they fit your use: feeds enable ${id} --accept-licence`,
    );
  const isKeyMissing = row.key !== undefined && deps.keys(row.key.env) === undefined;
  const given = known === undefined ? settingsOf(row) : {};
  const source = await registerSource(deps, id, { ...given, scheduled: true, enabled: true });
  return { source, row, isKeyMissing };
}

/** Stops fetching a source; its listings stay and age. */
export async function disableSource(deps: Pick<SwitchDeps, 'system' | 'clock'>, id: string): Promise<Source> {
  await knownSource(deps, id);
  return registerSource(deps, id, { scheduled: false });
}

/**
 * Takes a source out of every answer: it is not fetched, and its listings count nowhere from the next lookup on. Its history
 * stays, because a past day can be asked about.
 */
export async function retireSource(deps: Pick<SwitchDeps, 'system' | 'clock'>, id: string): Promise<Source> {
  await knownSource(deps, id);
  return registerSource(deps, id, { scheduled: false, enabled: false });
}

async function knownSource({ system }: Pick<SwitchDeps, 'system'>, id: string): Promise<Source> {
  const source = await findSource(system.db, id);
  if (source === undefined) throw notFound('Source', id);
  return source;
}
