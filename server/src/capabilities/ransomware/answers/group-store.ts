import type { GroupLocation, GroupTechnique } from '#domain/ransomware/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { CountPeriods } from './count-store.ts';

export type GroupClaims = {
  readonly key: string;
  readonly name: string;
  readonly victims: number;
  readonly claims30d: number;
  readonly claimsPrev30d: number;
  readonly firstClaimAtMs: number;
  readonly lastClaimAtMs: number;
};

const GROUPS_MAX = 10_000;

/** Groups with claims; the name is the newest spelling. */
export async function countGroupClaims(db: Db, periods: CountPeriods): Promise<readonly GroupClaims[]> {
  const { nowMs, from30dMs, prev30dMs } = periods;
  const { rows } = await sql<GroupClaims>`
    select group_key as key, (array_agg(group_name order by discovered_at desc, group_name))[1] as name,
           count(*)::int as victims,
           count(*) filter (where discovered_at >= ${timestampOf(from30dMs)})::int as "claims30d",
           count(*) filter (where discovered_at >= ${timestampOf(prev30dMs)}
                              and discovered_at < ${timestampOf(from30dMs)})::int as "claimsPrev30d",
           ${msOf(sql`min(discovered_at)`)} as "firstClaimAtMs", ${msOf(sql`max(discovered_at)`)} as "lastClaimAtMs"
      from ransomware_claim where discovered_at <= ${timestampOf(nowMs)}
     group by group_key limit ${GROUPS_MAX}`.execute(db);
  return rows;
}

export type GroupValue = {
  readonly key: string;
  readonly kind: 'country' | 'sector';
  readonly value: string;
  readonly count: number;
};

/** Countries and sectors of the claims of these groups, or of all, the most frequent first. */
export async function listGroupValues(
  db: Db,
  nowMs: number,
  keys: readonly string[] | null,
): Promise<readonly GroupValue[]> {
  const some = sql`discovered_at <= ${timestampOf(nowMs)} and (${keys}::text[] is null or group_key = any(${keys}::text[]))`;
  const { rows } = await sql<GroupValue>`
    select key, kind, value, count::int from (
      select group_key as key, 'country' as kind, country as value, count(*) as count
        from ransomware_claim where country is not null and ${some} group by 1, 3
      union all
      select group_key, 'sector', sector, count(*)
        from ransomware_claim where sector is not null and ${some} group by 1, 3
    ) as counted order by count desc, value limit ${GROUPS_MAX * 10}`.execute(db);
  return rows;
}

export type KnownGroup = { readonly key: string; readonly name: string; readonly isSeized: boolean };

/**
 * Groups with a known site, and groups that a source other than the MISP galaxy lists. A ransomware family that only
 * the galaxy describes is no group.
 */
export async function listKnownGroups(db: Db): Promise<readonly KnownGroup[]> {
  const { rows } = await sql<KnownGroup>`
    select group_key as key, (array_agg(name order by dataset_id desc))[1] as name, bool_or(is_seized) as "isSeized"
      from ransomware_group
     group by group_key having bool_or(locations <> '[]'::jsonb) or bool_or(dataset_id <> 'misp-galaxy-ransomware')
     limit ${GROUPS_MAX}`.execute(db);
  return rows;
}

/** Which of these keys are known groups, by the same rule as `listKnownGroups`. */
export async function findKnownGroups(db: Db, keys: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct group_key as key from ransomware_group
     where group_key = any(${keys}::text[]) and (locations <> '[]'::jsonb or dataset_id <> 'misp-galaxy-ransomware')
     limit ${GROUPS_MAX}`.execute(db);
  return rows.map(({ key }) => key);
}

export type SaidOfGroup = {
  readonly key: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string | null;
  readonly locations: readonly GroupLocation[];
  readonly techniques: readonly GroupTechnique[];
  readonly references: readonly string[];
  readonly isSeized: boolean;
  readonly hasNotes: boolean;
};

/** What sources say of the groups with these keys. */
export async function listSaidOfGroup(db: Db, keys: readonly string[]): Promise<readonly SaidOfGroup[]> {
  const { rows } = await sql<SaidOfGroup>`
    select group_key as key, name, aliases, description, locations, techniques, reference_urls as "references",
           is_seized as "isSeized", has_notes as "hasNotes"
      from ransomware_group where group_key = any(${keys}::text[]) order by dataset_id, group_key limit 1000`.execute(
    db,
  );
  return rows;
}

/** Groups with aliases; some 250 rows. */
export async function listAliases(
  db: Db,
): Promise<readonly { readonly key: string; readonly aliasKeys: readonly string[] }[]> {
  const { rows } = await sql<{ key: string; aliasKeys: string[] }>`
    select group_key as key, alias_keys as "aliasKeys" from ransomware_group
     where cardinality(alias_keys) > 0 limit ${GROUPS_MAX}`.execute(db);
  return rows;
}

/** The keys of all groups that a source describes; some 3,000. */
export async function listDescribedKeys(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct group_key as key from ransomware_group limit ${GROUPS_MAX}`.execute(db);
  return rows.map(({ key }) => key);
}

export async function listClaimingKeys(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct group_key as key from ransomware_claim limit ${GROUPS_MAX}`.execute(db);
  return rows.map(({ key }) => key);
}

/** The claims of the groups with these keys, as those of one group. */
export async function countGroup(
  db: Db,
  keys: readonly string[],
  periods: CountPeriods,
): Promise<Omit<GroupClaims, 'key'> | undefined> {
  const { nowMs, from30dMs, prev30dMs } = periods;
  const { rows } = await sql<Omit<GroupClaims, 'key'>>`
    select (array_agg(group_name order by discovered_at desc, group_name))[1] as name,
           count(*)::int as victims,
           count(*) filter (where discovered_at >= ${timestampOf(from30dMs)})::int as "claims30d",
           count(*) filter (where discovered_at >= ${timestampOf(prev30dMs)}
                              and discovered_at < ${timestampOf(from30dMs)})::int as "claimsPrev30d",
           ${msOf(sql`min(discovered_at)`)} as "firstClaimAtMs", ${msOf(sql`max(discovered_at)`)} as "lastClaimAtMs"
      from ransomware_claim where group_key = any(${keys}::text[]) and discovered_at <= ${timestampOf(nowMs)}
    having count(*) > 0`.execute(db);
  return rows[0];
}
