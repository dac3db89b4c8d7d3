import { CLAIM_SPAN_MS, PRESS_AFTER_MS, PRESS_BEFORE_MS } from '#domain/ransomware/index.ts';
import { type Db, type RawBuilder, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { ClaimTracker } from '../load/claim-write-store.ts';

export type Claim = {
  readonly id: string;
  readonly group: string;
  readonly victim: string;
  readonly domain: string | null;
  readonly country: string | null;
  readonly sector: string | null;
  /** The rules that sector and country were inferred with; null: a tracker says them, or none is known. */
  readonly sectorRule: string | null;
  readonly countryRule: string | null;
  readonly discoveredAtMs: number;
  readonly attackedAtMs: number | null;
  readonly claimUrl: string | null;
  readonly description: string | null;
  readonly trackers: readonly ClaimTracker[];
  readonly reference: string | null;
};

const COLUMNS = sql`
  claim.id, claim.group_name as "group", claim.victim, claim.domain, claim.country, claim.sector,
  claim.sector_rule as "sectorRule", claim.country_rule as "countryRule",
  ${msOf('claim.discovered_at')} as "discoveredAtMs", ${msOf('claim.attacked_at')} as "attackedAtMs",
  claim.claim_url as "claimUrl", claim.description, claim.trackers, claim.reference`;

const ALL = sql`true`;

export type ClaimFilter = {
  readonly sector?: string;
  readonly groupKeys?: readonly string[];
  readonly domain?: string;
  /** A part of the victim's normalised name. */
  readonly namePart?: string;
};

function where({ sector, groupKeys, domain, namePart }: ClaimFilter): RawBuilder<unknown> {
  if (sector !== undefined) return sql`claim.sector = ${sector}`;
  if (groupKeys !== undefined) return sql`claim.group_key = any(${groupKeys}::text[])`;
  if (domain !== undefined) return sql`claim.domain = ${domain}`;
  return namePart === undefined ? ALL : sql`strpos(claim.name_key, ${namePart}) > 0`;
}

/** Claims, newest first. A claim that a tracker dates in the future is left out until that date. */
export async function listClaims(
  db: Db,
  filter: ClaimFilter,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<readonly Claim[]> {
  const { rows } = await sql<Claim>`
    select ${COLUMNS} from ransomware_claim as claim
     where claim.discovered_at <= ${timestampOf(nowMs)} and ${where(filter)}
     order by claim.discovered_at desc, claim.group_key, claim.victim, claim.id limit ${limit}`.execute(db);
  return rows;
}

export async function countClaims(db: Db, filter: ClaimFilter, nowMs: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ransomware_claim as claim
     where claim.discovered_at <= ${timestampOf(nowMs)} and ${where(filter)}`.execute(db);
  return rows[0]?.count ?? 0;
}

const DOMAINS_MAX = 100_000;

/** All claims on a victim with a known domain, the newest first. */
export async function listClaimedDomains(
  db: Db,
  nowMs: number,
): Promise<readonly (Pick<Claim, 'group' | 'victim' | 'discoveredAtMs'> & { readonly domain: string })[]> {
  const { rows } = await sql<{ domain: string; group: string; victim: string; discoveredAtMs: number }>`
    select domain, group_name as "group", victim, ${msOf('discovered_at')} as "discoveredAtMs" from ransomware_claim
     where domain is not null and discovered_at <= ${timestampOf(nowMs)}
     order by discovered_at desc, id limit ${DOMAINS_MAX}`.execute(db);
  return rows;
}

/** The groups with matching claims, the one with the newest claim first. */
export async function listClaimingGroups(
  db: Db,
  filter: ClaimFilter,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ group: string }>`
    select claim.group_name as "group" from ransomware_claim as claim
     where claim.discovered_at <= ${timestampOf(nowMs)} and ${where(filter)}
     group by claim.group_name order by max(claim.discovered_at) desc, claim.group_name limit ${limit}`.execute(
    db,
  );
  return rows.map(({ group }) => group);
}

export type OtherClaim = {
  readonly claimId: string;
  readonly otherId: string;
  readonly group: string;
  readonly discoveredAtMs: number;
};

const OTHERS_MAX = 1_000;

/** Claims of other groups on the same victim, at most a year apart. */
export async function listOtherClaims(db: Db, ids: readonly string[]): Promise<readonly OtherClaim[]> {
  const near = sql`other.group_key <> claim.group_key
    and other.discovered_at between claim.discovered_at - ${spanOf(CLAIM_SPAN_MS)}
                                and claim.discovered_at + ${spanOf(CLAIM_SPAN_MS)}`;
  const columns = sql`claim.id as "claimId", other.id as "otherId", other.group_name as "group",
    ${msOf('other.discovered_at')} as "discoveredAtMs"`;
  const { rows } = await sql<OtherClaim>`
    select ${columns} from ransomware_claim as claim join ransomware_claim as other on other.domain = claim.domain and ${near}
     where claim.id = any(${ids}::text[])
    union
    select ${columns} from ransomware_claim as claim
      join ransomware_claim as other on other.name_key = claim.name_key and (other.domain is null or claim.domain is null) and ${near}
     where claim.id = any(${ids}::text[])
     order by "discoveredAtMs", "otherId" limit ${OTHERS_MAX}`.execute(db);
  return rows;
}

const spanOf = (ms: number) => sql`make_interval(secs => ${ms / 1_000})`;

/** Matches articles to a claim: the same victim, by domain if both have one, else by name, near the claim's date. */
const near = sql`press.published_at between claim.discovered_at - ${spanOf(PRESS_BEFORE_MS)}
                                        and claim.discovered_at + ${spanOf(PRESS_AFTER_MS)}`;
const byDomain = sql`press.domain = claim.domain and ${near}`;
const byName = sql`press.name_key = claim.name_key and (press.domain is null or claim.domain is null) and ${near}`;

export type PressOfClaim = {
  readonly claimId: string;
  readonly title: string;
  readonly url: string;
  readonly source: string;
  readonly publishedAtMs: number;
};

const PRESS_MAX = 2_000;

export async function listPressOf(db: Db, ids: readonly string[]): Promise<readonly PressOfClaim[]> {
  const columns = sql`claim.id as "claimId", press.title, press.url, press.publisher as source,
    ${msOf('press.published_at')} as "publishedAtMs"`;
  const { rows } = await sql<PressOfClaim>`
    select ${columns} from ransomware_claim as claim join ransomware_press as press on ${byDomain}
     where claim.id = any(${ids}::text[])
    union
    select ${columns} from ransomware_claim as claim join ransomware_press as press on ${byName}
     where claim.id = any(${ids}::text[])
     order by "publishedAtMs" desc, url limit ${PRESS_MAX}`.execute(db);
  return rows;
}

export type PressRow = {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly source: string;
  readonly publishedAtMs: number;
  readonly victim: string;
};

type PressPage = {
  readonly nowMs: number;
  readonly limit: number;
  readonly groupKeys: readonly string[] | null;
};

const matching = (groupKeys: readonly string[] | null): RawBuilder<unknown> =>
  groupKeys === null
    ? ALL
    : sql`press.id in (
        select press.id from ransomware_claim as claim join ransomware_press as press on ${byDomain}
         where claim.group_key = any(${groupKeys}::text[])
        union
        select press.id from ransomware_claim as claim join ransomware_press as press on ${byName}
         where claim.group_key = any(${groupKeys}::text[]))`;

/** The newest articles. With `groupKeys`, only articles about victims that one of these groups claimed. */
export async function listPress(
  db: Db,
  { nowMs, limit, groupKeys }: PressPage,
): Promise<readonly PressRow[]> {
  const { rows } = await sql<PressRow>`
    select press.id, press.title, press.url, press.publisher as source, ${msOf('press.published_at')} as "publishedAtMs",
           press.victim
      from ransomware_press as press
     where press.published_at <= ${timestampOf(nowMs)} and ${matching(groupKeys)}
     order by press.published_at desc, press.id limit ${limit}`.execute(db);
  return rows;
}

export async function countPress(db: Db, { nowMs, groupKeys }: Omit<PressPage, 'limit'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ransomware_press as press
     where press.published_at <= ${timestampOf(nowMs)} and ${matching(groupKeys)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Groups that claimed the victims of these articles. Articles are attributed to groups in no other way (O27). */
export async function listGroupsOfPress(
  db: Db,
  pressIds: readonly string[],
): Promise<readonly { readonly pressId: string; readonly group: string }[]> {
  const { rows } = await sql<{ pressId: string; group: string }>`
    select press.id as "pressId", claim.group_name as "group"
      from ransomware_press as press join ransomware_claim as claim on ${byDomain}
     where press.id = any(${pressIds}::text[])
    union
    select press.id, claim.group_name
      from ransomware_press as press join ransomware_claim as claim on ${byName}
     where press.id = any(${pressIds}::text[])
     order by 1, 2 limit ${PRESS_MAX}`.execute(db);
  return rows;
}
