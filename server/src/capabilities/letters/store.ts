import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

export type NewLetter = {
  readonly id: string;
  readonly accountId: string | null;
  readonly senderId: string | null;
  readonly kind: string;
  readonly addressDigest: Uint8Array;
  readonly sealed: Uint8Array;
  readonly key: string | null;
  readonly nowMs: number;
};

/** False when a letter with this key of this account exists. */
export async function insertLetter(tx: Db, letter: NewLetter): Promise<boolean> {
  const at = timestampOf(letter.nowMs);
  const { numAffectedRows } = await sql`
    insert into letter (id, account_id, sender_id, kind, address_digest, sealed, key, created_at, next_at)
    values (${letter.id}, ${letter.accountId}, ${letter.senderId}, ${letter.kind}, ${letter.addressDigest}, ${letter.sealed},
            ${letter.key}, ${at}, ${at})
    on conflict do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

export type ClaimedLetter = {
  readonly id: string;
  readonly kind: string;
  readonly addressDigest: Buffer;
  readonly sealed: Buffer;
  readonly attempts: number;
  readonly createdAtMs: number;
};

/** Counts one try. Undefined when the letter has ended. */
export async function claimLetter(tx: Db, id: string): Promise<ClaimedLetter | undefined> {
  const { rows } = await sql<ClaimedLetter>`
    update letter set attempts = attempts + 1 where id = ${id} and state = 'waiting'
    returning id, kind, address_digest as "addressDigest", sealed, attempts, ${msOf('created_at')} as "createdAtMs"`.execute(
    tx,
  );
  return rows[0];
}

/** Records the end and erases the address and the facts, unless another try has claimed the letter since. */
export async function finishLetter(
  tx: Db,
  { id, attempts }: Pick<ClaimedLetter, 'id' | 'attempts'>,
  end: {
    readonly state: 'sent' | 'refused' | 'expired' | 'suppressed';
    readonly reason: string;
    readonly nowMs: number;
  },
): Promise<void> {
  await sql`
    update letter set state = ${end.state}, reason = ${end.reason}, sealed = null, finished_at = ${timestampOf(end.nowMs)}
     where id = ${id} and attempts = ${attempts} and state = 'waiting'`.execute(tx);
}

/** Sets the next try. False when the letter has ended, or when its tries differ from `attempts` (null: any number). */
export async function postponeLetter(
  tx: Db,
  { id, attempts }: { readonly id: string; readonly attempts: number | null },
  { nextAtMs, reason }: { readonly nextAtMs: number; readonly reason: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update letter set next_at = ${timestampOf(nextAtMs)}, reason = coalesce(${reason}, reason)
     where id = ${id} and attempts = coalesce(${attempts}::int, attempts) and state = 'waiting'`.execute(tx);
  return numAffectedRows === 1n;
}

/** Waiting letters whose next try is long overdue, because their job is gone. */
export async function selectStranded(tx: Db, beforeMs: number, rowsMax: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from letter where state = 'waiting' and next_at < ${timestampOf(beforeMs)}
     order by next_at limit ${rowsMax}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Ends letters that waited too long without a try, such as while there was no SMTP_URL. */
export async function expireOlder(
  tx: Db,
  {
    beforeMs,
    nowMs,
    rowsMax,
  }: { readonly beforeMs: number; readonly nowMs: number; readonly rowsMax: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update letter set state = 'expired', sealed = null, finished_at = ${timestampOf(nowMs)},
           reason = coalesce(reason, 'It was not sent in time.')
     where id in (select id from letter where state = 'waiting' and created_at < ${timestampOf(beforeMs)}
                   order by next_at limit ${rowsMax})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function deleteFinished(tx: Db, beforeMs: number, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from letter where id in (
      select id from letter where finished_at < ${timestampOf(beforeMs)} order by finished_at limit ${rowsMax})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}

export async function isSuppressed(tx: Db, addressDigest: Uint8Array, topic: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from letter_suppression where address_digest = ${addressDigest} and topic = ${topic}`.execute(
    tx,
  );
  return rows.length > 0;
}

export async function insertSuppression(
  tx: Db,
  {
    addressDigest,
    topic,
    letterId,
  }: {
    readonly addressDigest: Uint8Array;
    readonly topic: string;
    /** The email whose link was used. */
    readonly letterId?: string | null;
  },
  nowMs: number,
): Promise<void> {
  await sql`
    insert into letter_suppression (address_digest, topic, letter_id, created_at)
    values (${addressDigest}, ${topic}, ${letterId ?? null}, ${timestampOf(nowMs)}) on conflict do nothing`.execute(
    tx,
  );
}

export type LetterCount = {
  readonly state: string;
  readonly letters: number;
  readonly oldestAtMs: number | null;
  readonly newestAtMs: number | null;
};

/** By state; oldest and newest are when a waiting letter was written and when another one ended. */
export async function countLetters(db: Db): Promise<readonly LetterCount[]> {
  const { rows } = await sql<LetterCount>`
    select state, count(*)::int as letters,
           ${msOf(sql`min(coalesce(finished_at, created_at))`)} as "oldestAtMs",
           ${msOf(sql`max(coalesce(finished_at, created_at))`)} as "newestAtMs"
      from letter group by state order by state`.execute(db);
  return rows;
}

export type LetterTrouble = {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly attempts: number;
  readonly reason: string | null;
  readonly createdAtMs: number;
};

/** The newest letters that were not sent at their first try, or all of one address. */
export async function selectLetters(
  db: Db,
  { addressDigest, rowsMax }: { readonly addressDigest: Uint8Array | null; readonly rowsMax: number },
): Promise<readonly LetterTrouble[]> {
  const { rows } = await sql<LetterTrouble>`
    select id, kind, state, attempts, reason, ${msOf('created_at')} as "createdAtMs" from letter
     where case when ${addressDigest}::bytea is null then state <> 'sent' else address_digest = ${addressDigest}::bytea end
     order by created_at desc limit ${rowsMax}`.execute(db);
  return rows;
}

export async function deleteLettersTo(tx: Db, addressDigest: Uint8Array): Promise<number> {
  const { numAffectedRows } = await sql`delete from letter where address_digest = ${addressDigest}`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
