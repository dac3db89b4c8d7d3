import type { z } from 'zod';
import { type Db, sql } from './postgres.ts';

export { createRelay, type Relay, type RelayOptions } from './events/relay.ts';
export {
  type EventGap,
  type StreamEvent,
  type SubscribeDeps,
  type SubscribeOptions,
  subscribe,
} from './events/subscribe.ts';

/** A kind of event, defined by the capability whose fact it tells. */
export type EventType<S extends z.ZodType = z.ZodType> = { readonly name: string; readonly schema: S };

/** Identity at run time; keeps the payload's type with its schema. */
export const eventType = <S extends z.ZodType>(type: EventType<S>): EventType<S> => type;

export type NewEvent<S extends z.ZodType = z.ZodType> = {
  readonly type: EventType<S>;
  /** Whose event it is; null for everybody's. */
  readonly accountId: string | null;
  readonly payload: z.input<S>;
  /** When the fact happened; the transaction's time when absent. */
  readonly occurredAt?: Date;
};

/** Tells a fact in the transaction that makes it true: both commit, or neither does (reliability W1, D1). */
export const emit = <S extends z.ZodType>(tx: Db, event: NewEvent<S>): Promise<void> => emitAll(tx, [event]);

/** A merge that tells thousands of facts does it in one statement. */
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

/** Decisions 3.13: the log reaches back 24 hours. What the stream has not seen yet stays, however old. */
export async function trimOutbox(tx: Db, keepMs = 86_400_000, rowsMax = 50_000): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from event_outbox where draft in (
      select o.draft from event_outbox o, event_relay r
       where o.occurred_at < now() - make_interval(secs => ${keepMs / 1000}) and o.id <= r.relayed_id
       order by o.occurred_at limit ${rowsMax})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
