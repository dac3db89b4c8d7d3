import { type GroupProfile, groupKeyOf } from '#domain/ransomware/index.ts';
import { type Db, sql } from '#platform/postgres.ts';

/** Replaces what a source says of groups; rows that stay the same are not written. */
export async function replaceGroups(tx: Db, sourceId: string, groups: readonly GroupProfile[]): Promise<void> {
  const rows = groups.map((group) => ({ ...group, aliasKeys: group.aliases.map(groupKeyOf) }));
  await sql`
    delete from ransomware_group
     where source_id = ${sourceId} and group_key <> all(${groups.map(({ key }) => key)}::text[])`.execute(tx);
  await sql`
    insert into ransomware_group as known (source_id, group_key, name, aliases, alias_keys, description, locations, techniques,
                                           reference_urls, is_seized, has_notes)
    select ${sourceId}, key, name, aliases, "aliasKeys", description, locations, techniques, "references", "isSeized",
           "hasNotes"
      from json_to_recordset(${JSON.stringify(rows)}::json)
           as said (key text, name text, aliases text[], "aliasKeys" text[], description text, locations jsonb,
                    techniques jsonb, "references" text[], "isSeized" boolean, "hasNotes" boolean)
    on conflict (source_id, group_key) do update
      set name = excluded.name, aliases = excluded.aliases, alias_keys = excluded.alias_keys,
          description = excluded.description, locations = excluded.locations, techniques = excluded.techniques,
          reference_urls = excluded.reference_urls, is_seized = excluded.is_seized, has_notes = excluded.has_notes
    where (known.name, known.aliases, known.description, known.locations, known.techniques, known.reference_urls,
           known.is_seized, known.has_notes)
          is distinct from
          (excluded.name, excluded.aliases, excluded.description, excluded.locations, excluded.techniques,
           excluded.reference_urls, excluded.is_seized, excluded.has_notes)`.execute(tx);
}
