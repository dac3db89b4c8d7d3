import { sql } from '#platform/postgres.ts';

/** SQL of listings on a host or below a registrable domain (collection `related`). */

/** The parents of entries that a merge changed; those of delisted entries are in the table of indicators. */
export const changedParents = () => sql<{ key: Buffer }>`
  select parent_key as key from delta where is_listed and parent_key is not null
  union all
  select i.parent_key from delta d join indicator i on i.key = d.key
   where not d.is_listed and i.parent_key is not null`;

/** Parents of everything that a source lists; used when the source begins or ceases to accuse. */
export const parentsOfSource = (sourceNumber: number) => sql<{ key: Buffer }>`
  select i.parent_key as key from listing l join indicator i on i.key = l.key
   where l.source_number = ${sourceNumber} and i.parent_key is not null`;
