import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** SQL of the watch for look-alikes: newly accused names, and the spellings of watched names they are compared with. */

export const putSpellings = (
  tx: Db,
  spelled: readonly { readonly key: Buffer; readonly forms: readonly string[] }[],
): Promise<unknown> =>
  sql`insert into watch_spelling (form, target_key)
      select distinct f.form, decode(g.key, 'hex')
        from json_to_recordset(${JSON.stringify(
          spelled.map(({ key, forms }) => ({ key: key.toString('hex'), forms })),
        )}::json) as g (key text, forms json)
       cross join lateral json_array_elements_text(g.forms) as f (form)
       where length(f.form) between 1 and 100
       order by 1, 2
      on conflict do nothing`.execute(tx);

/** Stores newly accused names for the comparison; writes nothing while no name is watched. */
export const addNames = (tx: Db, names: readonly string[], nowMs: number): Promise<unknown> =>
  sql`insert into watch_new_name (name, at)
      select name, ${timestampOf(nowMs)} from unnest(${[...names]}::text[]) as n (name)
       where exists (select 1 from watch_spelling)`.execute(tx);

export type NewName = { readonly number: number; readonly name: string; readonly atMs: number };

export async function takeNames(tx: Db, limit: number): Promise<readonly NewName[]> {
  const { rows } = await sql<NewName>`
    with taken as (
      delete from watch_new_name where number in (
        select number from watch_new_name order by number limit ${limit} for update skip locked)
      returning number, name, at)
    select number::float8 as number, name, ${msOf('at')} as "atMs" from taken order by number`.execute(tx);
  return rows;
}

export type SpelledTarget = { readonly form: string; readonly key: Buffer; readonly value: string };

export async function targetsSpelled(tx: Db, forms: readonly string[]): Promise<readonly SpelledTarget[]> {
  const { rows } = await sql<SpelledTarget>`
    select s.form, t.key, t.value
      from unnest(${[...forms]}::text[]) as f (form)
      join watch_spelling s on s.form = f.form
      join watch_target t on t.key = s.target_key`.execute(tx);
  return rows;
}
