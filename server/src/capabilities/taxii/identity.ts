import { identityOf, stixTimeOfMicros } from '#domain/stix/index.ts';
import type { Postgres } from '#platform/postgres.ts';
import { readState } from './object-store.ts';

/** The identity that publishes every object. It never changes, because its id is in all of them. */
export type Identity = { readonly object: ReturnType<typeof identityOf>; readonly deployedUs: number };

const NAME = 'Assay';

/** Read once; a failed read is tried again by the next caller. */
export function keepIdentity({ db }: Pick<Postgres, 'db'>): () => Promise<Identity> {
  let known: Promise<Identity> | null = null;
  const read = async (): Promise<Identity> => {
    const { deployment, deployedUs } = await readState(db);
    return { object: identityOf(deployment, NAME, stixTimeOfMicros(deployedUs)), deployedUs };
  };
  return () => {
    known ??= read().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}
