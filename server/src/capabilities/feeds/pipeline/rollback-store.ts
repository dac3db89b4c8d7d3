import { type Db, sql } from '#platform/postgres.ts';

const at = (ms: number) => sql`to_timestamp(${ms / 1000}::float8)`;

export type Merge = {
  /** Microseconds as text: the exact moment, which a JavaScript number would round. */
  readonly mergedAt: string;
  readonly dataAtMs: number;
  readonly entries: number;
};

/** The newest merges of a source that changed something, newest first. */
export async function readMerges(db: Db, sourceNumber: number, limit: number): Promise<readonly Merge[]> {
  const { rows } = await sql<Merge>`
    select fetched_at::text as "mergedAt", date_part('epoch', data_at) * 1000 as "dataAtMs", entries
      from source_fetch where source_number = ${sourceNumber} and added + removed + changed > 0
     order by fetched_at desc limit ${limit}`.execute(db);
  return rows;
}

/** The merge that one run made. */
export async function readMergeOfRun(
  db: Db,
  sourceNumber: number,
  runId: string,
): Promise<(Merge & { contentSha256: string | null }) | null> {
  const { rows } = await sql<Merge & { contentSha256: string | null }>`
    select f.fetched_at::text as "mergedAt", date_part('epoch', f.data_at) * 1000 as "dataAtMs", f.entries,
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
  readonly confidence: number | null;
  readonly reference: string | null;
  readonly family: string | null;
  readonly rank: number | null;
};

/** What the source listed right after a merge, in key order, a page a call. */
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
    select p.key, i.value, date_part('epoch', p.first_seen) * 1000 as "firstSeenMs",
           date_part('epoch', p.last_seen) * 1000 as "lastSeenMs", p.confidence, p.reference, p.family, p.rank
      from (select key, first_seen, last_seen, confidence, reference, family, rank from listing
             where source_number = ${given.sourceNumber} and key > ${given.afterKey}
               and listed_from <= ${given.mergedAt}::timestamptz
            union all
            select key, first_seen, last_seen, confidence, reference, family, rank from listing_past
             where source_number = ${given.sourceNumber} and key > ${given.afterKey}
               and listed_from <= ${given.mergedAt}::timestamptz and listed_to > ${given.mergedAt}::timestamptz
             order by key limit ${given.limit}) p
      join indicator i using (key) order by p.key`.execute(tx);
  return rows;
}

/** The bad bytes are not taken again; the sentence stays until the publisher has something else. */
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
             problem = ${given.problem}, problem_since = ${at(given.nowMs)}
       where source_number = ${given.sourceNumber}`.execute(tx);
