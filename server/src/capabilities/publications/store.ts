import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { PublicationName } from './schedule.ts';

export type Outcome = 'published' | 'waiting' | 'held' | 'failed';

/** The state of one publication: when its files were last as they should be, and how the last build ended. */
export type Publication = {
  readonly name: PublicationName;
  readonly isExpected: boolean;
  readonly currentAtMs: number | null;
  readonly entries: number | null;
  readonly triedAtMs: number | null;
  readonly outcome: Outcome | null;
  readonly message: string | null;
  readonly retryAtMs: number | null;
};

export async function listPublications(db: Db): Promise<readonly Publication[]> {
  const { rows } = await sql<Publication>`
    select name, expected as "isExpected", ${msOf('current_at')} as "currentAtMs", entries::float8 as entries,
           ${msOf('tried_at')} as "triedAtMs", outcome, message, ${msOf('retry_at')} as "retryAtMs"
      from publication order by name limit 16`.execute(db);
  return rows;
}

/** From now on files are missed while there are none: a first import began. */
export const expectPublications = (tx: Db): Promise<unknown> =>
  sql`update publication set expected = true where not expected`.execute(tx);

export type Ended = {
  readonly outcome: Outcome;
  readonly message: string | null;
  readonly entries: number | null;
  readonly isExpected: boolean;
  readonly nowMs: number;
  readonly retryAtMs: number | null;
};

export const saveEnded = (tx: Db, name: PublicationName, ended: Ended): Promise<unknown> =>
  sql`update publication
         set tried_at = ${timestampOf(ended.nowMs)}, outcome = ${ended.outcome}, message = ${ended.message},
             retry_at = ${timestampOf(ended.retryAtMs)}, expected = expected or ${ended.isExpected}::boolean,
             entries = coalesce(${ended.entries}::bigint, entries),
             current_at = case when ${ended.outcome} = 'published' then ${timestampOf(ended.nowMs)}
                               else current_at end
       where name = ${name}`.execute(tx);
