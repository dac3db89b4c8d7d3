import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

export type MmdbState = {
  readonly builtAs: string | null;
  readonly contentSha256: string | null;
  readonly addresses: number;
  readonly ranges: number;
  readonly records: number;
  readonly tookMs: number | null;
  readonly builtAtMs: number | null;
  readonly checkedAtMs: number | null;
  readonly failedAtMs: number | null;
  readonly failure: string | null;
  readonly heldEntries: number | null;
  readonly heldAs: string | null;
  readonly releasedAs: string | null;
};

export async function readState(db: Db): Promise<MmdbState> {
  const { rows } = await sql<MmdbState>`
    select built_as as "builtAs", content_sha256 as "contentSha256", addresses, ranges, records, took_ms as "tookMs",
           ${msOf('built_at')} as "builtAtMs", ${msOf('checked_at')} as "checkedAtMs",
           ${msOf('failed_at')} as "failedAtMs", failure, held_entries as "heldEntries", held_as as "heldAs",
           released_as as "releasedAs"
      from mmdb_state`.execute(db);
  return rows[0] as MmdbState;
}

/** One build at a time, by a worker or by a command. */
export const lockBuild = (tx: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended('mmdb', 0))`.execute(tx);

export const noteChecked = (tx: Db, as: string, nowMs: number): Promise<unknown> =>
  sql`update mmdb_state set built_as = ${as}, checked_at = ${timestampOf(nowMs)}, failure = null, failed_at = null,
             held_entries = null, held_as = null`.execute(tx);

export const noteFailure = (tx: Db, nowMs: number, failure: string): Promise<unknown> =>
  sql`update mmdb_state set failed_at = ${timestampOf(nowMs)}, failure = ${failure}`.execute(tx);

export const noteHeld = (tx: Db, entries: number, as: string): Promise<unknown> =>
  sql`update mmdb_state set held_entries = ${entries}, held_as = ${as}, failure = null, failed_at = null`.execute(
    tx,
  );

/** Allows the held build. Only this one: a later build that loses half of its entries is held again. */
export async function releaseHeld(tx: Db): Promise<boolean> {
  const { rows } = await sql`
    update mmdb_state set released_as = held_as where held_as is not null returning id`.execute(tx);
  return rows.length > 0;
}

export type BuiltMmdb = {
  readonly builtAs: string;
  readonly contentSha256: string;
  readonly addresses: number;
  readonly ranges: number;
  readonly records: number;
  readonly tookMs: number;
  readonly builtAtMs: number;
};

export const saveBuilt = (tx: Db, built: BuiltMmdb): Promise<unknown> =>
  sql`update mmdb_state set built_as = ${built.builtAs}, content_sha256 = ${built.contentSha256},
             addresses = ${built.addresses}, ranges = ${built.ranges}, records = ${built.records},
             took_ms = ${Math.round(built.tookMs)}, built_at = ${timestampOf(built.builtAtMs)},
             checked_at = ${timestampOf(built.builtAtMs)}, failed_at = null, failure = null, held_entries = null,
             held_as = null, released_as = null`.execute(tx);
