import type { z } from 'zod';
import { type Db, sql } from './postgres.ts';
import { DAY_MS } from './time-units.ts';

export { createRelay, type Relay, type RelayOptions } from './events/relay.ts';
export {
  type EventGap,
  type StreamEvent,
  type SubscribeDeps,
  type SubscribeOptions,
  subscribe,
} from './events/subscribe.ts';

export type EventType<S extends z.ZodType = z.ZodType> = { readonly name: string; readonly schema: S };

/** Returns its argument; keeps the payload's type with its schema. */
export const eventType = <S extends z.ZodType>(type: EventType<S>): EventType<S> => type;

export type NewEvent<S extends z.ZodType = z.ZodType> = {
  readonly type: EventType<S>;
  /** The account of the event; null when it concerns all accounts. */
  readonly accountId: string | null;
  readonly payload: z.input<S>;
  readonly occurredAt?: Date;
};

/** Emits an event in the transaction that writes the fact: both commit, or neither does (reliability W1, D1). */
export const emit = <S extends z.ZodType>(tx: Db, event: NewEvent<S>): Promise<void> => emitAll(tx, [event]);

/** One statement for all events, because a merge emits thousands. */
export async function emitAll<S extends z.ZodType>(tx: Db, events: readonly NewEvent<S>[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({
    type: event.type.name,
    accountId: event.accountId,
    payload: event.type.schema.parse(event.payload),
    occurredAt: event.occurredAt?.toISOString() ?? null,
  }));
  await sql`
    with written as (
      insert into event_outbox (type, account_id, payload, occurred_at)
      select type, "accountId", payload, coalesce("occurredAt", now())
        from json_to_recordset(${JSON.stringify(rows)}::json)
             as event (type text, "accountId" text, payload jsonb, "occurredAt" timestamptz)
    )
    select pg_notify('assay_events', '')`.execute(tx);
}

/** The log reaches back 24 hours (decisions 3.13). Events that are not in the stream yet stay, however old. */
export async function trimOutbox(tx: Db, keepMs = DAY_MS, rowsMax = 50_000): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from event_outbox where draft in (
      select o.draft from event_outbox o, event_relay r
       where o.occurred_at < now() - make_interval(secs => ${keepMs / 1000}) and o.id <= r.relayed_id
       order by o.occurred_at limit ${rowsMax})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
