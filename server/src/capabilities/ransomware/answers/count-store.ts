import { type Db, type RawBuilder, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

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
  readonly activeGroups: number;
  readonly attacksThisMonth: number;
  readonly attacksThisYear: number;
  readonly last24h: number;
  readonly last7d: number;
};

export type TotalPeriods = CountPeriods & {
  readonly monthMs: number;
  readonly yearMs: number;
  readonly dayAgoMs: number;
  readonly weekAgoMs: number;
};

export async function countTotals(db: Db, periods: TotalPeriods): Promise<Totals> {
  const { nowMs, from30dMs, monthMs, yearMs, dayAgoMs, weekAgoMs } = periods;
  const { rows } = await sql<Totals>`
    select count(*)::int as "totalVictims", count(sector)::int as "withSector", count(country)::int as "withCountry",
           count(distinct group_key) filter (where ${since(from30dMs)})::int as "activeGroups",
           ${countSince(monthMs)} as "attacksThisMonth", ${countSince(yearMs)} as "attacksThisYear",
           ${countSince(dayAgoMs)} as last24h, ${countSince(weekAgoMs)} as last7d
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

export const ofSector = (sector: string): RawBuilder<unknown> => sql`sector = ${sector}`;

export async function topGroups(
  db: Db,
  {
    nowMs,
    of = sql`true`,
    limit,
  }: { readonly nowMs: number; readonly of?: RawBuilder<unknown>; readonly limit: number },
): Promise<readonly Counted[]> {
  const { rows } = await sql<Counted>`
    select (array_agg(group_name order by discovered_at desc, group_name))[1] as value, count(*)::int as count
      from ransomware_claim where ${past(nowMs)} and ${of}
     group by group_key order by 2 desc, 1 limit ${limit}`.execute(db);
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

/** Groups with claims in the last 30 days, for each sector, the most active first. */
export async function topGroupsBySector(
  db: Db,
  { nowMs, from30dMs }: CountPeriods,
): Promise<readonly { readonly sector: string; readonly group: string; readonly count: number }[]> {
  const { rows } = await sql<{ sector: string; group: string; count: number }>`
    select sector, min(group_name) as "group", count(*)::int as count
      from ransomware_claim where sector is not null and ${since(from30dMs)} and ${past(nowMs)}
     group by sector, group_key order by 3 desc, 2 limit 5000`.execute(db);
  return rows;
}
