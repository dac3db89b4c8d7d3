import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

export type ClaimTracker = { readonly id: string; readonly firstSeenAt: string };

export type ClaimRow = {
  readonly id: string;
  readonly groupKey: string;
  readonly groupName: string;
  readonly victim: string;
  readonly nameKey: string | null;
  readonly domain: string | null;
  readonly country: string | null;
  readonly sector: string | null;
  /** The rules that sector and country were inferred with; null: a tracker says them, or none is known. */
  readonly sectorRule: string | null;
  readonly countryRule: string | null;
  readonly rulesMark: number;
  readonly discoveredAtMs: number;
  readonly attackedAtMs: number | null;
  readonly claimUrl: string | null;
  readonly description: string | null;
  readonly trackers: readonly ClaimTracker[];
  readonly posts: number;
};

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Writes claims that are new or differ. What an operator confirmed is in columns that this never writes. */
export async function upsertClaims(tx: Db, claims: readonly ClaimRow[]): Promise<void> {
  const rows = claims.map((claim) => ({
    ...claim,
    discoveredAt: isoOf(claim.discoveredAtMs),
    attackedAt: isoOf(claim.attackedAtMs),
  }));
  await sql`
    insert into ransomware_claim as claim (id, group_key, group_name, victim, name_key, domain, country, sector, sector_rule,
                                           country_rule, rules_mark, discovered_at,
                                           attacked_at, claim_url, description, trackers, posts)
    select id, "groupKey", "groupName", victim, "nameKey", domain, country, sector, "sectorRule", "countryRule", "rulesMark",
           "discoveredAt", "attackedAt", "claimUrl", description, trackers, posts
      from json_to_recordset(${JSON.stringify(rows)}::json)
           as said (id text, "groupKey" text, "groupName" text, victim text, "nameKey" text, domain text, country text,
                    sector text, "sectorRule" text, "countryRule" text, "rulesMark" int, "discoveredAt" timestamptz, "attackedAt" timestamptz, "claimUrl" text, description text,
                    trackers jsonb, posts int)
    on conflict (id) do update
      set group_name = excluded.group_name, victim = excluded.victim, name_key = excluded.name_key,
          domain = excluded.domain, country = excluded.country, sector = excluded.sector,
          sector_rule = excluded.sector_rule, country_rule = excluded.country_rule, rules_mark = excluded.rules_mark,
          discovered_at = excluded.discovered_at, attacked_at = excluded.attacked_at, claim_url = excluded.claim_url,
          description = excluded.description, trackers = excluded.trackers, posts = excluded.posts
    where (claim.group_name, claim.victim, claim.name_key, claim.domain, claim.country, claim.sector, claim.sector_rule,
           claim.country_rule, claim.rules_mark, claim.discovered_at,
           claim.attacked_at, claim.claim_url, claim.description, claim.trackers, claim.posts)
          is distinct from
          (excluded.group_name, excluded.victim, excluded.name_key, excluded.domain, excluded.country, excluded.sector,
           excluded.sector_rule, excluded.country_rule, excluded.rules_mark, excluded.discovered_at, excluded.attacked_at, excluded.claim_url, excluded.description, excluded.trackers,
           excluded.posts)`.execute(tx);
}

export type Confirmation = { readonly id: string; readonly atMs: number; readonly reference: string };

export async function listConfirmations(tx: Db, ids: readonly string[]): Promise<readonly Confirmation[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Confirmation>`
    select id, ${msOf('confirmed_at')} as "atMs", reference from ransomware_claim
     where id = any(${ids}::text[]) and confirmed_at is not null limit 10000`.execute(tx);
  return rows;
}

/** Deletes claims that were merged into others, which inherit an operator's confirmation. */
export async function deleteClaims(
  tx: Db,
  ids: readonly string[],
  confirmed: readonly Confirmation[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from ransomware_claim where id = any(${ids}::text[])`.execute(tx);
  for (const { id, atMs, reference } of confirmed) await confirmClaim(tx, { id, atMs, reference });
}

/** False when there is no such claim. */
export async function confirmClaim(tx: Db, { id, atMs, reference }: Confirmation): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ransomware_claim set confirmed_at = ${timestampOf(atMs)}, reference = ${reference} where id = ${id}`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0) > 0;
}

export async function withdrawConfirmation(tx: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ransomware_claim set confirmed_at = null, reference = null where id = ${id}`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
}
