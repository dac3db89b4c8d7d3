import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

export type Merge = {
  /** Microseconds as text: the exact time, which a JavaScript number would round. */
  readonly mergedAt: string;
  readonly dataAtMs: number;
  readonly entries: number;
};

export async function readMerges(db: Db, sourceNumber: number, limit: number): Promise<readonly Merge[]> {
  const { rows } = await sql<Merge>`
    select fetched_at::text as "mergedAt", ${msOf('data_at')} as "dataAtMs", entries
      from source_fetch where source_number = ${sourceNumber} and added + removed + changed > 0
     order by fetched_at desc limit ${limit}`.execute(db);
  return rows;
}

export async function readMergeOfRun(
  db: Db,
  sourceNumber: number,
  runId: string,
): Promise<(Merge & { contentSha256: string | null }) | null> {
  const { rows } = await sql<Merge & { contentSha256: string | null }>`
    select f.fetched_at::text as "mergedAt", ${msOf('f.data_at')} as "dataAtMs", f.entries,
           r.content_sha256 as "contentSha256"
      from feed_run r join source_fetch f on f.source_number = r.source_number and f.fetched_at = r.merged_at
     where r.id = ${runId} and r.source_number = ${sourceNumber} and r.status = 'succeeded'`.execute(db);
  return rows[0] ?? null;
}

export async function readShaOfMerge(db: Db, sourceNumber: number, mergedAt: string): Promise<string | null> {
  const { rows } = await sql<{ sha: string | null }>`
    select content_sha256 as sha from feed_run
     where source_number = ${sourceNumber} and merged_at = ${mergedAt}::timestamptz`.execute(db);
  return rows[0]?.sha ?? null;
}

export type PastListing = {
  readonly key: Buffer;
  readonly value: string;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number | null;
  readonly datedBy: number;
  readonly confidence: number | null;
  readonly reference: string | null;
  readonly family: string | null;
  readonly rank: number | null;
};

/** The listings of a source right after a merge, in key order, one page per call. */
export async function readListedAt(
  tx: Db,
  given: {
    readonly sourceNumber: number;
    readonly mergedAt: string;
    readonly afterKey: Buffer;
    readonly limit: number;
  },
): Promise<readonly PastListing[]> {
  const { rows } = await sql<PastListing>`
    select p.key, i.value, ${msOf('p.first_seen')} as "firstSeenMs",
           ${msOf('p.last_seen')} as "lastSeenMs", p.dated_by as "datedBy", p.confidence, p.reference, p.family, p.rank
      from (select key, first_seen, last_seen, dated_by, confidence, reference, family, rank from listing
             where source_number = ${given.sourceNumber} and key > ${given.afterKey}
               and listed_from <= ${given.mergedAt}::timestamptz
            union all
            select key, first_seen, last_seen, dated_by, confidence, reference, family, rank from listing_past
             where source_number = ${given.sourceNumber} and key > ${given.afterKey}
               and listed_from <= ${given.mergedAt}::timestamptz and listed_to > ${given.mergedAt}::timestamptz
             order by key limit ${given.limit}) p
      join indicator i using (key) order by p.key`.execute(tx);
  return rows;
}

/** Stores the digest of the bad bytes; the problem stays until the publisher has other content. */
export const saveRolledBack = (
  tx: Db,
  given: {
    readonly sourceNumber: number;
    readonly contentSha256: string | null;
    readonly heldSha256: string | null;
    readonly problem: string;
    readonly nowMs: number;
  },
): Promise<unknown> =>
  sql`update feed_state set content_sha256 = ${given.contentSha256}, held_sha256 = ${given.heldSha256},
             problem = ${given.problem}, problem_since = ${timestampOf(given.nowMs)}
       where source_number = ${given.sourceNumber}`.execute(tx);
