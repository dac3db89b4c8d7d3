import { type RawBuilder, sql } from 'kysely';

/** A timestamptz from milliseconds since the epoch: a value, or a float8 column given as SQL. Null stays null. */
export const timestampOf = (ms: number | null | RawBuilder<unknown>): RawBuilder<unknown> =>
  ms === null || typeof ms === 'number'
    ? sql`to_timestamp(${ms === null ? null : ms / 1_000}::float8)`
    : sql`to_timestamp(${ms} / 1000)`;

/** Milliseconds since the epoch, as float8, from a timestamptz column or expression; whole ones come back whole. */
export const msOf = (timestamp: string | RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`date_part('epoch', ${typeof timestamp === 'string' ? sql.ref(timestamp) : timestamp}) * 1000`;
