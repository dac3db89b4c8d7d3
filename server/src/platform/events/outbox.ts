import { type Db, sql } from '../postgres.ts';
import type { StreamEvent } from './stream.ts';

/** An arbitrary constant that only relays use. */
const RELAY_LOCK = 4_021_006;

/** Held until the transaction ends; a relay that is killed loses it with its connection. */
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
  return Number(numAffectedRows ?? 0);
}

export type RelayPosition = { readonly numberedId: number; readonly relayedId: number };

export async function readPosition(db: Db): Promise<RelayPosition> {
  const { rows } = await sql<{ numbered: string; relayed: string }>`
    select numbered_id as numbered, relayed_id as relayed from event_relay`.execute(db);
  return { numberedId: Number(rows[0]?.numbered ?? 0), relayedId: Number(rows[0]?.relayed ?? 0) };
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

export async function readEvents(
  db: Db,
  afterId: number,
  upToId: number,
  rowsMax: number,
): Promise<StreamEvent[]> {
  const { rows } = await sql<EventRow>`
    select id, type, account_id as "accountId", occurred_at as "occurredAt", payload
      from event_outbox where id > ${afterId} and id <= ${upToId} order by id limit ${rowsMax}`.execute(db);
  return rows.map((row) => ({ ...row, id: Number(row.id), occurredAt: row.occurredAt.toISOString() }));
}
