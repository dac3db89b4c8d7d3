import { type GroupProfile, groupKeyOf } from '#domain/ransomware/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { type Delta, deltaOf } from './written-rows.ts';

/** Replaces what a source says of groups; rows that stay the same are not written. */
export async function replaceGroups(
  tx: Db,
  datasetId: string,
  groups: readonly GroupProfile[],
): Promise<Delta> {
  const rows = groups.map((group) => ({ ...group, aliasKeys: group.aliases.map(groupKeyOf) }));
  const gone = await sql`
    delete from ransomware_group
     where dataset_id = ${datasetId} and group_key <> all(${groups.map(({ key }) => key)}::text[])`.execute(
    tx,
  );
  const { rows: written } = await sql<{ isNew: boolean }>`
    insert into ransomware_group as known (dataset_id, group_key, name, aliases, alias_keys, description, locations, techniques,
                                           reference_urls, is_seized, has_notes)
    select ${datasetId}, key, name, aliases, "aliasKeys", description, locations, techniques, "references", "isSeized",
           "hasNotes"
      from json_to_recordset(${JSON.stringify(rows)}::json)
           as said (key text, name text, aliases text[], "aliasKeys" text[], description text, locations jsonb,
                    techniques jsonb, "references" text[], "isSeized" boolean, "hasNotes" boolean)
    on conflict (dataset_id, group_key) do update
      set name = excluded.name, aliases = excluded.aliases, alias_keys = excluded.alias_keys,
          description = excluded.description, locations = excluded.locations, techniques = excluded.techniques,
          reference_urls = excluded.reference_urls, is_seized = excluded.is_seized, has_notes = excluded.has_notes
    where (known.name, known.aliases, known.description, known.locations, known.techniques, known.reference_urls,
           known.is_seized, known.has_notes)
          is distinct from
          (excluded.name, excluded.aliases, excluded.description, excluded.locations, excluded.techniques,
           excluded.reference_urls, excluded.is_seized, excluded.has_notes)
    returning (xmax = 0) as "isNew"`.execute(tx);
  return deltaOf(written, gone.numAffectedRows);
}
