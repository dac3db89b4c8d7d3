import { type Db, sql } from '#platform/postgres.ts';

export type OfflineState = {
  readonly id: string;
  readonly number: number;
  readonly entries: number;
  readonly contentSha256: string | null;
  readonly heldSha256: string | null;
  readonly rebaseMs: number;
  readonly lastStatus: string | null;
  readonly lastReason: string | null;
  readonly lastSha256: string | null;
};

/** The known content of every source, to decide which files need not be read again. */
export async function readStates(db: Db): Promise<ReadonlyMap<string, OfflineState>> {
  const { rows } = await sql<OfflineState>`
    select s.id, s.number, s.entries, f.content_sha256 as "contentSha256", f.held_sha256 as "heldSha256",
           coalesce(f.rebase_ms, 0)::float8 as "rebaseMs", r.status as "lastStatus", r.reason as "lastReason",
           r.content_sha256 as "lastSha256"
      from source s left join feed_state f on f.source_number = s.number
      left join lateral (
        select status, reason, content_sha256 from feed_run
         where source_number = s.number order by started_at desc, id desc limit 1) r on true`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The largest constant in use; 0: no dates were moved. */
export async function readRebaseMs(db: Db): Promise<number> {
  const { rows } = await sql<{ rebaseMs: number }>`
    select coalesce(max(rebase_ms), 0)::float8 as "rebaseMs" from feed_state`.execute(db);
  return rows[0]?.rebaseMs ?? 0;
}
