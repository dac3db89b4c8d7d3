import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** SQL of emails that a person caused, for the system role. One statement per function. */

type Caused = {
  readonly kind: string;
  /** Null: of all persons. */
  readonly senderId: string | null;
  readonly afterMs: number;
};

/** When the nth newest email of a kind that persons caused was written; null where there are fewer. */
export async function findNthCaused(
  tx: Db,
  { kind, senderId, afterMs }: Caused,
  nth: number,
): Promise<number | null> {
  const { rows } = await sql<{ atMs: number }>`
    select ${msOf('created_at')} as "atMs" from letter
     where kind = ${kind} and sender_id is not null and (${senderId}::text is null or sender_id = ${senderId})
       and created_at > ${timestampOf(afterMs)}
     order by created_at desc offset ${nth - 1} limit 1`.execute(tx);
  return rows[0]?.atMs ?? null;
}

/** When the nth newest recipient of a person's emails asked for no more of them; null where there are fewer. */
export async function findNthRefusal(
  tx: Db,
  {
    topic,
    senderId,
    afterMs,
  }: { readonly topic: string; readonly senderId: string; readonly afterMs: number },
  nth: number,
): Promise<number | null> {
  const { rows } = await sql<{ atMs: number }>`
    select ${msOf('s.created_at')} as "atMs"
      from letter_suppression s join letter l on l.id = s.letter_id
     where l.sender_id = ${senderId} and s.topic = ${topic} and s.created_at > ${timestampOf(afterMs)}
     order by s.created_at desc offset ${nth - 1} limit 1`.execute(tx);
  return rows[0]?.atMs ?? null;
}
