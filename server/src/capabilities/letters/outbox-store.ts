import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** SQL of what operators see and do with letters, for the system role. One statement per function. */

export type OutboxLetter = {
  readonly id: string;
  readonly accountId: string | null;
  readonly kind: string;
  readonly state: string;
  readonly attempts: number;
  readonly reason: string | null;
  readonly createdAtMs: number;
  readonly nextAtMs: number;
  readonly finishedAtMs: number | null;
};

/** The newest first. Addresses and facts stay sealed. */
export async function selectOutbox(
  db: Db,
  {
    state,
    before,
    limit,
  }: { readonly state: string | null; readonly before: string | null; readonly limit: number },
): Promise<readonly OutboxLetter[]> {
  const { rows } = await sql<OutboxLetter>`
    select id, account_id as "accountId", kind, state, attempts, reason, ${msOf('created_at')} as "createdAtMs",
           ${msOf('next_at')} as "nextAtMs", ${msOf('finished_at')} as "finishedAtMs"
      from letter
     where (${state}::text is null or state = ${state}) and (${before}::text is null or id < ${before})
     order by id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findLetterState(tx: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`select state from letter where id = ${id}`.execute(tx);
  return rows[0]?.state;
}

export type TopicCounts = {
  readonly kind: string;
  readonly sent: number;
  readonly waiting: number;
};

/** Sent and waiting letters by kind; ended letters are kept for 30 days, so older ones are not counted. */
export async function countByKind(db: Db): Promise<readonly TopicCounts[]> {
  const { rows } = await sql<TopicCounts>`
    select kind, count(*) filter (where state = 'sent')::int as sent,
           count(*) filter (where state = 'waiting')::int as waiting
      from letter group by kind order by kind`.execute(db);
  return rows;
}

export async function countSuppressions(
  db: Db,
): Promise<readonly { readonly topic: string; readonly people: number }[]> {
  const { rows } = await sql<{ topic: string; people: number }>`
    select topic, count(*)::int as people from letter_suppression group by topic order by topic`.execute(db);
  return rows;
}

export type Pause = { readonly topic: string; readonly pausedAt: Date; readonly pausedBy: string };

export async function selectPauses(db: Db): Promise<readonly Pause[]> {
  const { rows } = await sql<Pause>`
    select topic, paused_at as "pausedAt", paused_by as "pausedBy" from letter_pause order by topic`.execute(
    db,
  );
  return rows;
}

export async function isPaused(tx: Db, topic: string): Promise<boolean> {
  const { rows } = await sql`select 1 from letter_pause where topic = ${topic}`.execute(tx);
  return rows.length > 0;
}

export async function insertPause(tx: Db, topic: string, by: string, nowMs: number): Promise<void> {
  await sql`
    insert into letter_pause (topic, paused_at, paused_by) values (${topic}, ${timestampOf(nowMs)}, ${by})
    on conflict do nothing`.execute(tx);
}

export async function deletePause(tx: Db, topic: string): Promise<void> {
  await sql`delete from letter_pause where topic = ${topic}`.execute(tx);
}

/** Letters of these kinds that wait, oldest first. */
export async function selectWaiting(
  tx: Db,
  kinds: readonly string[],
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from letter where state = 'waiting' and kind = any(${[...kinds]}::text[])
     order by next_at limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}
