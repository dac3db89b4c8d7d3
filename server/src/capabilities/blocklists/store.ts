import type { Excluded } from '#domain/shared-lists/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { Variant } from './bundle.ts';
import type { Difference } from './difference.ts';
import type { ListName } from './list-names.ts';

export type ListState = {
  readonly list: ListName;
  readonly membership: string | null;
  readonly lines: number;
  readonly sampleLines: number;
  readonly withheld: number;
  readonly modifiedAtMs: number | null;
  readonly builtAtMs: number | null;
  readonly checkedAtMs: number | null;
  readonly failedAtMs: number | null;
  readonly failure: string | null;
  readonly heldLines: number | null;
  readonly heldMembership: string | null;
  readonly releasedMembership: string | null;
  /** What was left out and why; null before the first count. */
  readonly excluded: Excluded | null;
  /** The state of the levels that was counted. */
  readonly excludedAs: string | null;
};

const STATE = sql`
  list, membership, lines, sample_lines as "sampleLines", withheld, ${msOf('modified_at')} as "modifiedAtMs",
  ${msOf('built_at')} as "builtAtMs", ${msOf('checked_at')} as "checkedAtMs", ${msOf('failed_at')} as "failedAtMs",
  failure, held_lines as "heldLines", held_membership as "heldMembership",
  released_membership as "releasedMembership", excluded, excluded_as as "excludedAs"`;

/** One row for each of the eight shared lists. */
export async function listStates(db: Db): Promise<readonly ListState[]> {
  const { rows } = await sql<ListState>`select ${STATE} from blocklist order by list limit 64`.execute(db);
  return rows;
}

export async function findState(db: Db, list: ListName): Promise<ListState | null> {
  const { rows } = await sql<ListState>`select ${STATE} from blocklist where list = ${list}`.execute(db);
  return rows[0] ?? null;
}

/** One build of a list at a time, whichever worker or command runs it. */
export const lockList = (tx: Db, list: ListName): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended('blocklist ' || ${list}, 0))`.execute(tx);

export const noteChecked = (tx: Db, list: ListName, nowMs: number): Promise<unknown> =>
  sql`update blocklist set checked_at = ${timestampOf(nowMs)}, failure = null, failed_at = null,
             held_lines = null, held_membership = null where list = ${list}`.execute(tx);

export const noteFailure = (tx: Db, list: ListName, nowMs: number, failure: string): Promise<unknown> =>
  sql`insert into blocklist (list, failed_at, failure) values (${list}, ${timestampOf(nowMs)}, ${failure})
      on conflict (list) do update set failed_at = excluded.failed_at, failure = excluded.failure`.execute(
    tx,
  );

export const noteHeld = (tx: Db, list: ListName, lines: number, membership: string): Promise<unknown> =>
  sql`update blocklist set held_lines = ${lines}, held_membership = ${membership}, failure = null, failed_at = null
       where list = ${list}`.execute(tx);

/** Allows the build of the held membership alone: a later one that loses half of the lines is held again. */
export async function releaseHeld(tx: Db, list: ListName): Promise<boolean> {
  const { rows } = await sql`
    update blocklist set released_membership = held_membership
     where list = ${list} and held_membership is not null returning list`.execute(tx);
  return rows.length > 0;
}

export type BuiltList = Pick<
  ListState,
  'list' | 'membership' | 'lines' | 'sampleLines' | 'withheld' | 'modifiedAtMs' | 'builtAtMs'
>;

export const saveBuilt = (tx: Db, built: BuiltList): Promise<unknown> =>
  sql`insert into blocklist (list, membership, lines, sample_lines, withheld, modified_at, built_at, checked_at)
      values (${built.list}, ${built.membership}, ${built.lines}, ${built.sampleLines}, ${built.withheld},
              ${timestampOf(built.modifiedAtMs)}, ${timestampOf(built.builtAtMs)}, ${timestampOf(built.builtAtMs)})
      on conflict (list) do update set
        membership = excluded.membership, lines = excluded.lines, sample_lines = excluded.sample_lines,
        withheld = excluded.withheld, modified_at = excluded.modified_at, built_at = excluded.built_at,
        checked_at = excluded.checked_at, failed_at = null, failure = null, held_lines = null,
        held_membership = null, released_membership = null`.execute(tx);

export const saveExcluded = (tx: Db, list: ListName, excluded: Excluded, version: string): Promise<unknown> =>
  sql`update blocklist set excluded = ${JSON.stringify(excluded)}::jsonb, excluded_as = ${version}
       where list = ${list}`.execute(tx);

export type NewVersion = {
  readonly list: ListName;
  readonly fullSha256: string;
  readonly sampleSha256: string;
  readonly hasChanges: boolean;
  readonly builtAtMs: number;
};

export async function insertVersion(tx: Db, version: NewVersion): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into blocklist_version (list, full_sha256, sample_sha256, has_changes, built_at)
    values (${version.list}, ${version.fullSha256}, ${version.sampleSha256}, ${version.hasChanges},
            ${timestampOf(version.builtAtMs)}) returning id`.execute(tx);
  return rows[0]?.id ?? '';
}

export const insertChanges = (
  tx: Db,
  versionId: string,
  variant: Variant,
  values: readonly string[],
  isAdded: boolean,
): Promise<unknown> =>
  sql`insert into blocklist_change (version_id, variant, value, is_added)
      select ${versionId}, ${variant}, value, ${isAdded} from unnest(${values}::text[]) as value`.execute(tx);

/** Their changes are removed by the foreign key. */
export const deleteVersionsBefore = (tx: Db, beforeMs: number): Promise<unknown> =>
  sql`delete from blocklist_version where built_at < ${timestampOf(beforeMs)}`.execute(tx);

/** The newest version up to `upTo` whose text has this hash; null where it was deleted or never existed. */
export async function findVersion(
  db: Db,
  list: ListName,
  variant: Variant,
  shaPrefix: string,
  upTo: string | null,
): Promise<string | null> {
  const column = variant === 'full' ? sql`full_sha256` : sql`sample_sha256`;
  const { rows } = await sql<{ id: string }>`
    select id from blocklist_version
     where list = ${list} and ${column} ^@ ${shaPrefix} and (${upTo}::bigint is null or id <= ${upTo}::bigint)
     order by id desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** Whether every version after `from` up to `to` has its changes. */
export async function hasAllChanges(db: Db, list: ListName, from: string, to: string): Promise<boolean> {
  const { rows } = await sql<{ complete: boolean }>`
    select coalesce(bool_and(has_changes), true) as complete from blocklist_version
     where list = ${list} and id > ${from}::bigint and id <= ${to}::bigint`.execute(db);
  return rows[0]?.complete === true;
}

/** Changes between two versions. A value that left and came back, so that its first and last change differ, is none. */
export async function netChanges(
  db: Db,
  list: ListName,
  variant: Variant,
  { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
): Promise<Difference & { readonly isCut: boolean }> {
  const { rows } = await sql<{ value: string; added: boolean }>`
    select value, added from (
      select c.value, (array_agg(c.is_added order by c.version_id))[1] as first,
             (array_agg(c.is_added order by c.version_id desc))[1] as added
        from blocklist_change c join blocklist_version v on v.id = c.version_id
       where v.list = ${list} and v.id > ${from}::bigint and v.id <= ${to}::bigint and c.variant = ${variant}
       group by c.value) net
     where net.first = net.added order by value collate "C" limit ${limit + 1}`.execute(db);
  return {
    added: rows.filter(({ added }) => added).map(({ value }) => value),
    removed: rows.filter(({ added }) => !added).map(({ value }) => value),
    isCut: rows.length > limit,
  };
}
