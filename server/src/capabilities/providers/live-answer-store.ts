import { type Db, sql } from '#platform/postgres.ts';

/** All SQL about kept live answers; each function is one statement. */

export type LiveAnswerRow = {
  readonly provider: string;
  readonly key: string;
  /** JSON. */
  readonly value: string;
  readonly fetchedAtMs: number;
  readonly freshUntilMs: number;
  readonly keepUntilMs: number;
};

const TRIM_ROWS_MAX = 10_000;

const at = (ms: number) => sql`to_timestamp(${ms / 1000}::float8)`;

export async function findLiveAnswer(
  db: Db,
  provider: string,
  key: string,
  nowMs: number,
): Promise<LiveAnswerRow | null> {
  const { rows } = await sql<LiveAnswerRow>`
    select provider, key, value, date_part('epoch', fetched_at) * 1000 as "fetchedAtMs",
           date_part('epoch', fresh_until) * 1000 as "freshUntilMs",
           date_part('epoch', keep_until) * 1000 as "keepUntilMs"
      from live_answer
     where provider = ${provider} and key = ${key} and keep_until > ${at(nowMs)}
     limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Rows come sorted by provider and key, so that two nodes never wait for each other; an older answer is not taken. */
export const upsertLiveAnswers = (db: Db, rows: readonly LiveAnswerRow[]): Promise<unknown> =>
  sql`
    insert into live_answer as known (provider, key, value, fetched_at, fresh_until, keep_until)
    select provider, key, value, to_timestamp(fetched / 1000), to_timestamp(fresh / 1000), to_timestamp(keep / 1000)
      from unnest(${rows.map((row) => row.provider)}::text[], ${rows.map((row) => row.key)}::text[],
                  ${rows.map((row) => row.value)}::text[], ${rows.map((row) => row.fetchedAtMs)}::float8[],
                  ${rows.map((row) => row.freshUntilMs)}::float8[], ${rows.map((row) => row.keepUntilMs)}::float8[])
        as given (provider, key, value, fetched, fresh, keep)
     order by provider, key
    on conflict (provider, key) do update
       set value = excluded.value, fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until,
           keep_until = excluded.keep_until
     where excluded.fetched_at >= known.fetched_at`.execute(db);

/** What an upstream no longer knows must not come back as its last good answer. */
export const deleteLiveAnswers = (
  db: Db,
  rows: readonly Pick<LiveAnswerRow, 'provider' | 'key'>[],
): Promise<unknown> =>
  sql`
    delete from live_answer
     using unnest(${rows.map((row) => row.provider)}::text[], ${rows.map((row) => row.key)}::text[])
        as gone (provider, key)
     where live_answer.provider = gone.provider and live_answer.key = gone.key`.execute(db);

/** Call it until it returns 0: small transactions hold nobody back. */
export async function trimLiveAnswers(db: Db, nowMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from live_answer
     where ctid = any (array(select ctid from live_answer where keep_until < ${at(nowMs)} limit ${TRIM_ROWS_MAX}))`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
