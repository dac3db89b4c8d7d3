import { readScoring } from '#app/open-list-source.ts';
import { openPublications, type Publications } from '#capabilities/publications/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Postgres } from '#platform/postgres.ts';

/** What an API process knows of the publications of this database. */
export const publicationsOf = (
  { postgres, system }: { readonly postgres: Pick<Postgres, 'db'>; readonly system: Pick<Postgres, 'db'> },
  clock: Clock,
): Publications => openPublications({ db: postgres.db, clock, scoring: () => readScoring(system.db) });
