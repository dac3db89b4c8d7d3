import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** SQL of erasure, for jobs. Each statement may run twice. */

/** Claims organizations that can no longer be restored; those of an interrupted run are claimed again. */
export async function claimOrganizations(
  tx: Db,
  deletedBeforeMs: number,
  nowMs: number,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    update organization set erasing_at = coalesce(erasing_at, ${timestampOf(nowMs)})
     where id in (select id from organization where deleted_at <= ${timestampOf(deletedBeforeMs)}
                   order by deleted_at limit ${limit} for update)
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function claimPeople(
  tx: Db,
  deletedBeforeMs: number,
  nowMs: number,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    update app_user set erasing_at = coalesce(erasing_at, ${timestampOf(nowMs)})
     where id in (select id from app_user
                   where deleted_at <= ${timestampOf(deletedBeforeMs)} and erased_at is null
                   order by deleted_at limit ${limit} for no key update)
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Deletes up to `limit` rows whose column names the account; gives the number, below `limit` for the last ones. */
export async function eraseRows(
  tx: Db,
  { table, column }: { readonly table: string; readonly column: string },
  accountId: string,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.ref(column)} = ${accountId} limit ${limit}))`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}

/** Keys refer to the key whose session made them; without this they could be deleted in one order only. */
export async function detachKeys(tx: Db, accountId: string): Promise<void> {
  await sql`
    update api_key set parent_id = null where account_id = ${accountId} and parent_id is not null`.execute(
    tx,
  );
}

export async function deleteOrganization(tx: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`delete from organization where id = ${id} returning id`.execute(
    tx,
  );
  return rows.length > 0;
}

/** The row stays without an address, because rows of organizations name it. */
export async function emptyPerson(tx: Db, id: string, nowMs: number): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update app_user set email_before = null, email_verified_at = null, unclaimed_since = null,
           erased_at = ${timestampOf(nowMs)}
     where id = ${id} and erased_at is null returning id`.execute(tx);
  return rows.length > 0;
}
