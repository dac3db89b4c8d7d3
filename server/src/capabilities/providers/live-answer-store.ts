import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** All SQL of stored live answers; each function is one statement. */

export type LiveAnswerRow = {
  readonly provider: string;
  readonly key: string;
  readonly value: string;
  readonly fetchedAtMs: number;
  readonly freshUntilMs: number;
  readonly keepUntilMs: number;
};

const TRIM_ROWS_MAX = 10_000;

export async function findLiveAnswer(
  db: Db,
  provider: string,
  key: string,
  nowMs: number,
): Promise<LiveAnswerRow | null> {
  const { rows } = await sql<LiveAnswerRow>`
    select provider, key, value, ${msOf('fetched_at')} as "fetchedAtMs",
           ${msOf('fresh_until')} as "freshUntilMs",
           ${msOf('keep_until')} as "keepUntilMs"
      from live_answer
     where provider = ${provider} and key = ${key} and keep_until > ${timestampOf(nowMs)}
     limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Rows are sorted by provider and key, so that two nodes cannot deadlock; an older answer replaces nothing. */
export const upsertLiveAnswers = (db: Db, rows: readonly LiveAnswerRow[]): Promise<unknown> =>
  sql`
    insert into live_answer as known (provider, key, value, fetched_at, fresh_until, keep_until)
    select provider, key, value, ${timestampOf(sql.ref('fetched'))}, ${timestampOf(sql.ref('fresh'))}, ${timestampOf(sql.ref('keep'))}
      from unnest(${rows.map((row) => row.provider)}::text[], ${rows.map((row) => row.key)}::text[],
                  ${rows.map((row) => row.value)}::text[], ${rows.map((row) => row.fetchedAtMs)}::float8[],
                  ${rows.map((row) => row.freshUntilMs)}::float8[], ${rows.map((row) => row.keepUntilMs)}::float8[])
        as given (provider, key, value, fetched, fresh, keep)
     order by provider, key
    on conflict (provider, key) do update
       set value = excluded.value, fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until,
           keep_until = excluded.keep_until
     where excluded.fetched_at >= known.fetched_at`.execute(db);

/** An entry that the upstream no longer has must not return as its last good answer. */
export const deleteLiveAnswers = (
  db: Db,
  rows: readonly Pick<LiveAnswerRow, 'provider' | 'key'>[],
): Promise<unknown> =>
  sql`
    delete from live_answer
     using unnest(${rows.map((row) => row.provider)}::text[], ${rows.map((row) => row.key)}::text[])
        as gone (provider, key)
     where live_answer.provider = gone.provider and live_answer.key = gone.key`.execute(db);

/** Call it until it returns 0: small transactions block no other writer. */
export async function trimLiveAnswers(db: Db, nowMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from live_answer
     where ctid = any (array(select ctid from live_answer where keep_until < ${timestampOf(nowMs)} limit ${TRIM_ROWS_MAX}))`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
