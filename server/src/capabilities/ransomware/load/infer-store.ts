import { PRESS_AFTER_MS, PRESS_BEFORE_MS } from '#domain/ransomware/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf } from '#platform/sql-time.ts';

/** Sector and country of a claim, with the rules that inferred them; a rule is null where a tracker says the value. */
export type InferredOrigin = {
  readonly sector: string | null;
  readonly sectorRule: string | null;
  readonly country: string | null;
  readonly countryRule: string | null;
  readonly rulesMark: number;
};

/** What an article is matched by. */
export type PressVictim = {
  readonly id: string;
  readonly nameKey: string | null;
  readonly domain: string | null;
  readonly discoveredAtMs: number;
};

const spanOf = (ms: number) => sql`make_interval(secs => ${ms / 1_000})`;

/** The country of the articles about each victim near its claim, where all of them name the same one. */
export async function listPressCountries(
  tx: Db,
  victims: readonly PressVictim[],
): Promise<readonly { readonly id: string; readonly country: string }[]> {
  const asked = victims.map(({ id, nameKey, domain, discoveredAtMs }) => ({
    id,
    nameKey,
    domain,
    at: new Date(discoveredAtMs).toISOString(),
  }));
  const near = sql`press.country is not null
    and press.published_at between victim.at - ${spanOf(PRESS_BEFORE_MS)} and victim.at + ${spanOf(PRESS_AFTER_MS)}`;
  const { rows } = await sql<{ id: string; country: string }>`
    with victim as (
      select id, "nameKey" as name_key, domain, at
        from json_to_recordset(${JSON.stringify(asked)}::json) as given (id text, "nameKey" text, domain text, at timestamptz)
    )
    select id, min(country) as country from (
      select victim.id, press.country from victim join ransomware_press as press
        on press.domain = victim.domain and ${near}
      union
      select victim.id, press.country from victim join ransomware_press as press
        on press.name_key = victim.name_key and (press.domain is null or victim.domain is null) and ${near}
    ) as told group by id having count(*) = 1 limit ${victims.length}`.execute(tx);
  return rows;
}

export type InferableClaim = PressVictim & {
  readonly victim: string;
  /** As a tracker says it; null where none does, whatever was inferred before. */
  readonly sector: string | null;
  readonly country: string | null;
};

/** Claims in the order of their ids. */
export async function listInferable(
  tx: Db,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
): Promise<readonly InferableClaim[]> {
  const { rows } = await sql<InferableClaim>`
    select id, victim, name_key as "nameKey", domain, ${msOf('discovered_at')} as "discoveredAtMs",
           case when sector_rule is null then sector end as sector,
           case when country_rule is null then country end as country
      from ransomware_claim where id > ${afterId} order by id limit ${limit}`.execute(tx);
  return rows;
}

/** Writes what was inferred, where it differs. */
export async function updateOrigins(
  tx: Db,
  claims: readonly (InferredOrigin & { readonly id: string })[],
): Promise<void> {
  const rows = claims.map(({ id, sector, sectorRule, country, countryRule, rulesMark }) => ({
    id,
    sector,
    sectorRule,
    country,
    countryRule,
    rulesMark,
  }));
  await sql`
    update ransomware_claim as claim
       set sector = said.sector, sector_rule = said."sectorRule", country = said.country, country_rule = said."countryRule",
           rules_mark = said."rulesMark"
      from json_to_recordset(${JSON.stringify(rows)}::json)
           as said (id text, sector text, "sectorRule" text, country text, "countryRule" text, "rulesMark" int)
     where claim.id = said.id
       and (claim.sector, claim.sector_rule, claim.country, claim.country_rule, claim.rules_mark)
           is distinct from (said.sector, said."sectorRule", said.country, said."countryRule", said."rulesMark")`.execute(
    tx,
  );
}

/** Whether a claim exists whose rules are others than these. */
export async function hasOtherMarks(db: Db, mark: number): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists(select 1 from ransomware_claim where rules_mark is distinct from ${mark}) as exists`.execute(
    db,
  );
  return rows[0]?.exists ?? false;
}
