import { readFile } from 'node:fs/promises';
import { type Ip, isBogon } from '#domain/indicator/index.ts';
import type { Artifacts } from '#platform/artifacts.ts';
import type { Db } from '#platform/postgres.ts';
import { openMmdb } from './mmdb.ts';
import { placesOf } from './open-edition.ts';
import { newestVersions } from './store.ts';

export type OpenedCountries = {
  /** Two letters; null where the file has no country. */
  readonly countryOf: (ip: Ip) => string | null;
};

/** Only the current geo file, for a job that looks up a million addresses. Null when none is loaded. */
export async function openCountries(db: Db, artifacts: Artifacts): Promise<OpenedCountries | null> {
  const row = (await newestVersions(db)).find(({ kind }) => kind === 'geo');
  const file = row === undefined ? null : await artifacts.openArtifact(row.artifact);
  if (row === undefined || file === null) return null;
  const placeOf = placesOf(openMmdb(await readFile(file.path)));
  return { countryOf: (ip) => (isBogon(ip) ? null : (placeOf(ip)?.countryCode ?? null)) };
}
