import { type Db, sql } from '../postgres.ts';
import type { StreamEvent } from './stream.ts';
import { NUMBERED } from './wake.ts';

/** An arbitrary constant that only relays use. */
const RELAY_LOCK = 4_021_006;

/** The lock is held until the transaction ends; a relay that is killed loses it with its connection. */
export async function tryRelayLock(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${RELAY_LOCK}) as held`.execute(tx);
  return rows[0]?.held ?? false;
}

export async function takeRelayLock(tx: Db): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${RELAY_LOCK})`.execute(tx);
  return true;
}

/**
 * Numbers the events that have become visible. Numbers drawn at write time would not be in commit order: a
 * transaction with an earlier number may commit later, and a reader past that number would never see it (foundation
 * rule 1). One relay numbers events once they are visible, so a late commit gets a later number, and writers need no
 * lock.
 */
export async function numberVisible(tx: Db, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with fresh as (
      select draft, row_number() over (order by draft) as nth
        from (select draft from event_outbox where id is null order by draft limit ${rowsMax}) as unnumbered
    ), advanced as (
      update event_relay set numbered_id = numbered_id + (select count(*) from fresh)
       where exists (select 1 from fresh)
      returning numbered_id - (select count(*) from fresh) as base
    )
    update event_outbox as o set id = a.base + f.nth
      from fresh f cross join advanced a where o.draft = f.draft`.execute(tx);
  const count = Number(numAffectedRows ?? 0);
  if (count > 0) await sql`select pg_notify(${NUMBERED}, '')`.execute(tx);
  return count;
}

export type RelayPosition = {
  readonly numberedId: number;
  readonly relayedId: number;
  /** Events up to this one may have been deleted. */
  readonly trimmedId: number;
};

export async function readPosition(db: Db): Promise<RelayPosition> {
  const { rows } = await sql<{ numbered: string; relayed: string; trimmed: string }>`
    select numbered_id as numbered, relayed_id as relayed, trimmed_id as trimmed from event_relay`.execute(
    db,
  );
  const [row] = rows;
  return {
    numberedId: Number(row?.numbered ?? 0),
    relayedId: Number(row?.relayed ?? 0),
    trimmedId: Number(row?.trimmed ?? 0),
  };
}

export const savePosition = (tx: Db, relayedId: number): Promise<unknown> =>
  sql`update event_relay set relayed_id = ${relayedId} where relayed_id <> ${relayedId}`.execute(tx);

type EventRow = {
  id: string;
  type: string;
  accountId: string | null;
  occurredAt: Date;
  payload: unknown;
};

export type ReaderRow = {
  readonly readId: number;
  /** The highest event that was deleted before this reader read it; 0 when none was. */
  readonly lostId: number;
};

/** A new reader begins with what is numbered from now on, or with the oldest event of the outbox. */
export const addReader = (db: Db, name: string, from: 'newest' | 'start'): Promise<unknown> =>
  sql`insert into event_reader (name, read_id)
      select ${name}, case when ${from === 'start'} then 0 else numbered_id end from event_relay
      on conflict (name) do nothing`.execute(db);

/** The lock makes one process the reader until the transaction ends; null while another process is. */
export async function lockReader(tx: Db, name: string, isWaiting: boolean): Promise<ReaderRow | null> {
  const { rows } = await sql<{ readId: string; lostId: string }>`
    select read_id as "readId", lost_id as "lostId" from event_reader where name = ${name}
       for update ${isWaiting ? sql`` : sql`skip locked`}`.execute(tx);
  const [row] = rows;
  return row === undefined ? null : { readId: Number(row.readId), lostId: Number(row.lostId) };
}

export const moveReader = (tx: Db, name: string, readId: number): Promise<unknown> =>
  sql`update event_reader set read_id = ${readId}, lost_id = 0, moved_at = now() where name = ${name}`.execute(
    tx,
  );

export async function readEventsOfTypes(
  db: Db,
  span: Omit<LogSpan, 'accountId' | 'types'> & { readonly types: readonly string[] | undefined },
): Promise<StreamEvent[]> {
  const ofTypes = span.types === undefined ? sql`` : sql`and type = any(${span.types}::text[])`;
  const { rows } = await sql<EventRow>`
    select id, type, account_id as "accountId", occurred_at as "occurredAt", payload
      from event_outbox where id > ${span.afterId} and id <= ${span.throughId} ${ofTypes}
     order by id limit ${span.rowsMax}`.execute(db);
  return rows.map(eventOf);
}

export async function readEvents(
  db: Db,
  afterId: number,
  upToId: number,
  rowsMax: number,
): Promise<StreamEvent[]> {
  const { rows } = await sql<EventRow>`
    select id, type, account_id as "accountId", occurred_at as "occurredAt", payload
      from event_outbox where id > ${afterId} and id <= ${upToId} order by id limit ${rowsMax}`.execute(db);
  return rows.map(eventOf);
}

const eventOf = (row: EventRow): StreamEvent => ({
  ...row,
  id: Number(row.id),
  occurredAt: row.occurredAt.toISOString(),
});

export type LogSpan = {
  readonly afterId: number;
  readonly throughId: number;
  /** The account whose events are read, besides the events that concern all accounts. */
  readonly accountId: string;
  readonly types: readonly string[];
  readonly rowsMax: number;
};

/** Two index scans, so that the events of other accounts cost nothing. */
export async function readEventsOf(db: Db, span: LogSpan): Promise<StreamEvent[]> {
  const columns = sql`select id, type, account_id as "accountId", occurred_at as "occurredAt", payload from event_outbox`;
  const within = sql`id > ${span.afterId} and id <= ${span.throughId} and type = any(${span.types}::text[])
                     order by id limit ${span.rowsMax}`;
  const { rows } = await sql<EventRow>`
    select * from (
      (${columns} where account_id is null and ${within})
      union all
      (${columns} where account_id = ${span.accountId} and ${within})
    ) as both_of_them order by id limit ${span.rowsMax}`.execute(db);
  return rows.map(eventOf);
}
