import type { Known } from '#domain/ransomware/index.ts';
import { type Db, type RawBuilder, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** The moments at which the counted periods begin; all periods end at `nowMs`. */
export type CountPeriods = {
  readonly nowMs: number;
  /** The start of the last 30 days, today included, and of the 30 days before them. */
  readonly from30dMs: number;
  readonly prev30dMs: number;
};

const past = (nowMs: number) => sql`discovered_at <= ${timestampOf(nowMs)}`;
const since = (ms: number) => sql`discovered_at >= ${timestampOf(ms)}`;
const countSince = (ms: number) => sql`count(*) filter (where ${since(ms)})::int`;

export type Totals = {
  readonly totalVictims: number;
  readonly withSector: number;
  readonly withCountry: number;
  /** Of those with a sector or a country, the ones that a rule inferred. */
  readonly sectorInferred: number;
  readonly countryInferred: number;
  readonly activeGroups: number;
  readonly attacksThisMonth: number;
  readonly attacksThisYear: number;
  readonly last24h: number;
  readonly last7d: number;
  /** Of the last 30 days, and of the 30 days before. */
  readonly claims30d: number;
  readonly withSector30d: number;
  readonly claimsPrev30d: number;
  readonly withSectorPrev30d: number;
  readonly newestMs: number | null;
};

export type TotalPeriods = CountPeriods & {
  readonly monthMs: number;
  readonly yearMs: number;
  readonly dayAgoMs: number;
  readonly weekAgoMs: number;
};

/** The family of each group key that has one, as SQL reads it. */
type FamilyOfKey = Readonly<Record<string, string>>;
const familyIn = (families: FamilyOfKey) => sql`(${JSON.stringify(families)}::jsonb ->> group_key)`;

export async function countTotals(db: Db, periods: TotalPeriods, families: FamilyOfKey): Promise<Totals> {
  const { nowMs, from30dMs, prev30dMs, monthMs, yearMs, dayAgoMs, weekAgoMs } = periods;
  const inPrev30d = sql`${since(prev30dMs)} and discovered_at < ${timestampOf(from30dMs)}`;
  const { rows } = await sql<Totals>`
    select count(*)::int as "totalVictims", count(sector)::int as "withSector", count(country)::int as "withCountry",
           count(sector_rule)::int as "sectorInferred", count(country_rule)::int as "countryInferred",
           count(distinct coalesce(${familyIn(families)}, group_key)) filter (where ${since(from30dMs)})::int as "activeGroups",
           ${countSince(monthMs)} as "attacksThisMonth", ${countSince(yearMs)} as "attacksThisYear",
           ${countSince(dayAgoMs)} as last24h, ${countSince(weekAgoMs)} as last7d,
           ${countSince(from30dMs)} as "claims30d",
           count(sector) filter (where ${since(from30dMs)})::int as "withSector30d",
           count(*) filter (where ${inPrev30d})::int as "claimsPrev30d",
           count(sector) filter (where ${inPrev30d})::int as "withSectorPrev30d",
           ${msOf(sql`max(discovered_at)`)} as "newestMs"
      from ransomware_claim where ${past(nowMs)}`.execute(db);
  return rows[0] as Totals;
}

export type Counted = { readonly value: string; readonly count: number };
type Column = 'country' | 'sector';

/** The most frequent values of a column, over all claims or those that `of` selects. */
export async function countBy(
  db: Db,
  column: Column,
  {
    nowMs,
    of = sql`true`,
    limit,
  }: { readonly nowMs: number; readonly of?: RawBuilder<unknown>; readonly limit: number },
): Promise<readonly Counted[]> {
  const named = sql.ref(column);
  const { rows } = await sql<Counted>`
    select ${named} as value, count(*)::int as count from ransomware_claim
     where ${named} is not null and ${past(nowMs)} and ${of}
     group by 1 order by 2 desc, 1 limit ${limit}`.execute(db);
  return rows;
}

/** How many claims have a value in a column. */
export async function countKnown(
  db: Db,
  column: Column,
  { nowMs, of }: { readonly nowMs: number; readonly of: RawBuilder<unknown> },
): Promise<Known> {
  const { rows } = await sql<Known>`
    select count(*)::int as claims, count(${sql.ref(column)})::int as known
      from ransomware_claim where ${past(nowMs)} and ${of}`.execute(db);
  return rows[0] ?? { claims: 0, known: 0 };
}

export const ofSector = (sector: string): RawBuilder<unknown> => sql`sector = ${sector}`;

/** The groups with the most claims; generations of a family are one. */
export async function topGroups(
  db: Db,
  {
    nowMs,
    families,
    limit,
  }: { readonly nowMs: number; readonly families: FamilyOfKey; readonly limit: number },
): Promise<readonly Counted[]> {
  const family = familyIn(families);
  const { rows } = await sql<Counted>`
    select coalesce(min(${family}), (array_agg(group_name order by discovered_at desc, group_name))[1]) as value,
           count(*)::int as count
      from ransomware_claim where ${past(nowMs)}
     group by coalesce(${family}, group_key) order by 2 desc, 1 limit ${limit}`.execute(db);
  return rows;
}

export type SectorDay = { readonly sector: string; readonly day: string; readonly victims: number };

/** Victims for each sector and day (UTC) that has claims. */
export async function countSectorDays(
  db: Db,
  fromMs: number,
  nowMs: number,
  sector: string | null,
): Promise<readonly SectorDay[]> {
  const { rows } = await sql<SectorDay>`
    select sector, to_char(discovered_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as victims
      from ransomware_claim
     where sector is not null and ${since(fromMs)} and ${past(nowMs)}
       and (${sector}::text is null or sector = ${sector})
     group by 1, 2 order by 2, 1 limit 10000`.execute(db);
  return rows;
}

export type ClaimDay = {
  readonly day: string;
  readonly claims: number;
  readonly withSector: number;
  readonly newestMs: number;
};

/** All claims for each day (UTC) that has one. */
export async function countClaimDays(db: Db, fromMs: number, nowMs: number): Promise<readonly ClaimDay[]> {
  const { rows } = await sql<ClaimDay>`
    select to_char(discovered_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as claims,
           count(sector)::int as "withSector", ${msOf(sql`max(discovered_at)`)} as "newestMs"
      from ransomware_claim where ${since(fromMs)} and ${past(nowMs)}
     group by 1 order by 1 limit 1000`.execute(db);
  return rows;
}

/** Groups with claims in the last 30 days, for each sector, the most active first. */
export async function topGroupsBySector(
  db: Db,
  { nowMs, from30dMs }: CountPeriods,
  families: FamilyOfKey,
): Promise<readonly { readonly sector: string; readonly group: string; readonly count: number }[]> {
  const family = familyIn(families);
  const { rows } = await sql<{ sector: string; group: string; count: number }>`
    select sector, coalesce(min(${family}), min(group_name)) as "group", count(*)::int as count
      from ransomware_claim where sector is not null and ${since(from30dMs)} and ${past(nowMs)}
     group by sector, coalesce(${family}, group_key) order by 3 desc, 2 limit 5000`.execute(db);
  return rows;
}
