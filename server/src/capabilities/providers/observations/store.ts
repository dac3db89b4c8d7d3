import { type Db, sql } from '#platform/postgres.ts';
import type { Observation, Observed, Relation } from '../observation.ts';

/** All SQL of observations; each function is one statement. */

const NUMBERS: Readonly<Record<Relation, number>> = {
  resolves: 1,
  nameserver: 2,
  registrar: 3,
  certificate: 4,
};

export type SeenObservation = Observation & { readonly seenAtMs: number };

/**
 * In key order, so that two nodes that learn the same never wait for each other in a circle. A row already seen within
 * the hour stays as it is: nothing is written then.
 */
export async function upsertObservations(db: Db, rows: readonly SeenObservation[]): Promise<void> {
  await sql`
    insert into observation as known (first_seen, last_seen, relation, pivot, subject, record_type)
    select to_timestamp(seen), to_timestamp(seen), relation, pivot, subject, record_type
      from unnest(${rows.map((row) => row.seenAtMs / 1_000)}::float8[],
                  ${rows.map((row) => NUMBERS[row.relation])}::smallint[],
                  ${rows.map((row) => row.pivot)}::text[], ${rows.map((row) => row.subject)}::text[],
                  ${rows.map((row) => row.recordType)}::text[])
             as fresh (seen, relation, pivot, subject, record_type)
     order by relation, pivot, subject, record_type
        on conflict (relation, pivot, subject, record_type) do update
           set last_seen = greatest(known.last_seen, excluded.last_seen)
         where known.last_seen < excluded.last_seen - interval '1 hour'`.execute(db);
}

type Row = Omit<Observed, 'firstSeenMs' | 'lastSeenMs'> & {
  readonly firstSeen: Date;
  readonly lastSeen: Date;
};

const toObserved = ({ firstSeen, lastSeen, ...row }: Row): Observed => ({
  ...row,
  firstSeenMs: firstSeen.getTime(),
  lastSeenMs: lastSeen.getTime(),
});

export async function newestByPivot(
  db: Db,
  relation: Relation,
  pivot: string,
  limit: number,
): Promise<Observed[]> {
  const { rows } = await sql<Row>`
    select subject, pivot, record_type as "recordType", first_seen as "firstSeen", last_seen as "lastSeen"
      from observation where relation = ${NUMBERS[relation]} and pivot = ${pivot}
     order by last_seen desc limit ${limit}`.execute(db);
  return rows.map(toObserved);
}

export async function newestBySubject(
  db: Db,
  relation: Relation,
  subject: string,
  limit: number,
): Promise<Observed[]> {
  const { rows } = await sql<Row>`
    select subject, pivot, record_type as "recordType", first_seen as "firstSeen", last_seen as "lastSeen"
      from observation where relation = ${NUMBERS[relation]} and subject = ${subject}
     order by last_seen desc limit ${limit}`.execute(db);
  return rows.map(toObserved);
}

/** Exact up to `max`. */
export async function countByPivot(db: Db, relation: Relation, pivot: string, max: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total
      from (select 1 from observation where relation = ${NUMBERS[relation]} and pivot = ${pivot} limit ${max})
        as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

export async function countBySubject(
  db: Db,
  relation: Relation,
  subject: string,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total
      from (select 1 from observation where relation = ${NUMBERS[relation]} and subject = ${subject} limit ${max})
        as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Forgets at most `limit` rows last seen before; answers how many. Reads the table from end to end, once a day. */
export async function deleteUnseenSince(db: Db, beforeMs: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from observation
     where ctid = any (array(select ctid from observation
                              where last_seen < to_timestamp(${beforeMs / 1_000}::float8) limit ${limit}))`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
