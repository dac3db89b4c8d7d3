import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { HashType } from './corpus-files.ts';

/** Each function is one statement. */

/** What one process answers from; nulls for a process without a corpus of this type. */
export type CorpusUse = {
  readonly processId: string;
  readonly hashType: HashType;
  readonly digest: string | null;
  readonly entries: number;
  readonly corpusUpdatedAtMs: number | null;
  readonly firstPrefix: string | null;
  readonly lastPrefix: string | null;
  readonly seenAtMs: number;
};

export async function noteUse(db: Db, use: CorpusUse): Promise<void> {
  await sql`
    insert into password_corpus_use
           (process_id, hash_type, digest, entries, corpus_updated_at, first_prefix, last_prefix, seen_at)
    values (${use.processId}, ${use.hashType}, ${use.digest}, ${use.entries},
            ${timestampOf(use.corpusUpdatedAtMs)}, ${use.firstPrefix}, ${use.lastPrefix},
            ${timestampOf(use.seenAtMs)})
    on conflict (process_id, hash_type) do update
       set digest = excluded.digest, entries = excluded.entries, corpus_updated_at = excluded.corpus_updated_at,
           first_prefix = excluded.first_prefix, last_prefix = excluded.last_prefix,
           seen_at = excluded.seen_at`.execute(db);
}

/** Deletes the rows of a process that ends (`processId`), and of processes that were killed long ago. */
export async function deleteUses(db: Db, processId: string | null, seenBeforeMs: number): Promise<void> {
  await sql`
    delete from password_corpus_use
     where process_id = ${processId} or seen_at < ${timestampOf(seenBeforeMs)}`.execute(db);
}

export async function listUses(db: Db, seenSinceMs: number): Promise<readonly CorpusUse[]> {
  const { rows } = await sql<CorpusUse>`
    select process_id as "processId", hash_type as "hashType", digest, entries::float8 as entries,
           ${msOf('corpus_updated_at')} as "corpusUpdatedAtMs", first_prefix as "firstPrefix",
           last_prefix as "lastPrefix", ${msOf('seen_at')} as "seenAtMs"
      from password_corpus_use
     where seen_at >= ${timestampOf(seenSinceMs)}
     order by hash_type, corpus_updated_at desc nulls last, process_id
     limit 10000`.execute(db);
  return rows;
}
