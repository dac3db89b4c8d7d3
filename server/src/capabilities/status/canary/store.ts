import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** SQL of the canary. One statement per function. */

export type ProbeResult = {
  readonly probe: string;
  /** The duration of the probe; null: it failed. */
  readonly ms: number | null;
};

const MINUTE = (ms: number) => sql`date_trunc('minute', ${timestampOf(ms)})`;

/** True for the first result of a probe in a minute: a job may run twice. */
export async function insertResult(tx: Db, { probe, ms }: ProbeResult, nowMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into canary_result (probe, minute, passed, ms) values (${probe}, ${MINUTE(nowMs)}, ${ms !== null}, ${ms})
    on conflict do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

export async function countResult(tx: Db, { probe, ms }: ProbeResult, nowMs: number): Promise<void> {
  await sql`
    insert into canary_day (probe, day, runs, passed)
    values (${probe}, (${timestampOf(nowMs)} at time zone 'UTC')::date, 1, ${ms === null ? 0 : 1})
    on conflict (probe, day) do update set runs = canary_day.runs + 1, passed = canary_day.passed + excluded.passed`.execute(
    tx,
  );
}

export async function deleteOldResults(tx: Db, beforeMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from canary_result where minute < ${timestampOf(beforeMs)}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function deleteOldDays(tx: Db, beforeMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from canary_day where day < (${timestampOf(beforeMs)} at time zone 'UTC')::date`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export type ProbeFigures = {
  readonly probe: string;
  readonly lastAtMs: number;
  readonly hasPassed: boolean;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly samples: number;
};

/** Figures of each probe over its results since `sinceMs`; probes without results are left out. */
export async function selectFigures(db: Db, sinceMs: number): Promise<readonly ProbeFigures[]> {
  const { rows } = await sql<ProbeFigures>`
    select probe, ${msOf(sql`max(minute)`)} as "lastAtMs", (array_agg(passed order by minute desc))[1] as "hasPassed",
           percentile_disc(0.5) within group (order by ms)::float8 as "p50Ms",
           percentile_disc(0.99) within group (order by ms)::float8 as "p99Ms", count(*)::int as samples
      from canary_result where minute >= ${timestampOf(sinceMs)}
     group by probe order by probe`.execute(db);
  return rows;
}

export async function selectShares(
  db: Db,
  sinceMs: number,
): Promise<readonly { readonly probe: string; readonly runs: number; readonly passed: number }[]> {
  const { rows } = await sql<{ probe: string; runs: number; passed: number }>`
    select probe, sum(runs)::int as runs, sum(passed)::int as passed from canary_day
     where day >= (${timestampOf(sinceMs)} at time zone 'UTC')::date group by probe order by probe`.execute(
    db,
  );
  return rows;
}
