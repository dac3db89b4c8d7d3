import type { z } from 'zod';
import { type Db, sql } from './postgres.ts';
import { DAY_MS } from './time-units.ts';

export {
  type DurableReader,
  type DurableReaderDeps,
  type ReaderSpec,
  readDurably,
} from './events/durable-reader.ts';
export { type LogSpan, type RelayPosition, readEventsOf, readPosition } from './events/outbox.ts';
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

export type TrimLimits = {
  readonly keepMs: number;
  /** The most shared events that are kept, even where all are younger than `keepMs`. */
  readonly sharedMax: number;
  readonly rowsMax: number;
  /** Events younger than this wait for the slowest durable reader. */
  readonly unreadMaxMs: number;
};

/** The log reaches back 24 hours or 100,000 shared events, whichever is less (decisions 3.13). */
const TRIM: TrimLimits = { keepMs: DAY_MS, sharedMax: 100_000, rowsMax: 50_000, unreadMaxMs: 7 * DAY_MS };

/**
 * Deletes what is older than a day, and shared events beyond the newest 100,000; those of accounts are not counted among
 * them (O40). Events that are not in the stream yet stay, however old; those that a durable reader has not read stay for 7
 * days. The highest number deleted is kept, so that a reader which resumes before it is told of a gap.
 */
export async function trimOutbox(tx: Db, given: Partial<TrimLimits> = {}): Promise<number> {
  const { keepMs, sharedMax, rowsMax, unreadMaxMs } = { ...TRIM, ...given };
  const { rows } = await sql<{ count: number }>`
    with surplus as (
      select id from event_outbox where account_id is null and id is not null order by id desc offset ${sharedMax} limit 1
    ), bounds as (
      select r.relayed_id, coalesce((select min(read_id) from event_reader), r.relayed_id) as read_id,
             now() - make_interval(secs => ${unreadMaxMs / 1000}) as unread_since
        from event_relay r
    ), old as (
      (select o.draft from event_outbox o, bounds b
        where o.occurred_at < now() - make_interval(secs => ${keepMs / 1000}) and o.id <= b.relayed_id
          and (o.id <= b.read_id or o.occurred_at < b.unread_since)
        order by o.occurred_at limit ${rowsMax})
      union
      (select o.draft from event_outbox o, bounds b
        where o.account_id is null and o.id <= (select id from surplus) and o.id <= b.relayed_id
          and (o.id <= b.read_id or o.occurred_at < b.unread_since)
        order by o.id limit ${rowsMax})
    ), gone as (
      delete from event_outbox where draft in (select draft from old) returning id
    ), noted as (
      update event_relay set trimmed_id = greatest(trimmed_id, (select max(id) from gone))
       where exists (select 1 from gone)
    ), lost as (
      update event_reader set lost_id = greatest(lost_id, (select max(id) from gone))
       where read_id < (select max(id) from gone)
    )
    select count(*)::int as count from gone`.execute(tx);
  return rows[0]?.count ?? 0;
}
