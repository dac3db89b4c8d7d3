import { type Db, sql } from '#platform/postgres.ts';

/**
 * SQL of the dictionaries of families and references. Names enter in their order, so that two merges with the same new
 * names wait for each other instead of forming a deadlock. Known names are left out before the insert, because an insert
 * that does nothing still draws a number.
 */

type Rows = ReturnType<typeof sql>;
const DELTA = sql`(select family, reference from delta where is_listed) as named`;
/** After a bulk load names are read from the listings, because of repeated rows only one name was kept. */
const LOADED = sql`listing as named`;

export const insertFamilies = (tx: Db): Promise<readonly Buffer[]> => familiesFrom(tx, DELTA);
export const insertReferences = (tx: Db): Promise<readonly Buffer[]> => referencesFrom(tx, DELTA);
export const insertLoadedFamilies = (tx: Db): Promise<readonly Buffer[]> => familiesFrom(tx, LOADED);
export const insertLoadedReferences = (tx: Db): Promise<readonly Buffer[]> => referencesFrom(tx, LOADED);

/** Adds new families; returns their keys in the replica. */
async function familiesFrom(tx: Db, rows: Rows): Promise<readonly Buffer[]> {
  const fresh = await sql<{ key: Buffer }>`
    insert into malware_family (name)
    select name from (select distinct family as name from ${rows} where family <> '') as given
     where not exists (select 1 from malware_family known where known.name = given.name collate "C")
     order by name collate "C"
    on conflict do nothing
    returning int4send(number) as key`.execute(tx);
  return fresh.rows.map(({ key }) => key);
}

/** Adds new web addresses (O52), except of the maximum length: they may have been cut and lead elsewhere. */
async function referencesFrom(tx: Db, rows: Rows): Promise<readonly Buffer[]> {
  const fresh = await sql<{ key: Buffer }>`
    insert into listing_reference (url)
    select url
      from (select distinct reference as url from ${rows}
             where reference like 'http%' and reference ~ '^https?://[!-~]+$' and octet_length(reference) < 1024) as given
     where not exists (select 1 from listing_reference known where known.url = given.url collate "C")
     order by url collate "C"
    on conflict do nothing
    returning int4send(number) as key`.execute(tx);
  return fresh.rows.map(({ key }) => key);
}
