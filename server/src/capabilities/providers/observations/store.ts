import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { Observation, Observed, Relation } from '../observation.ts';

const NUMBERS: Readonly<Record<Relation, number>> = {
  resolves: 1,
  nameserver: 2,
  registrar: 3,
  certificate: 4,
};

export type SeenObservation = Observation & { readonly seenAtMs: number };

/**
 * In key order, so that two nodes with the same rows never deadlock. A row seen within the hour is not written again.
 */
export async function upsertObservations(db: Db, rows: readonly SeenObservation[]): Promise<void> {
  await sql`
    insert into observation as known (first_seen, last_seen, relation, pivot, subject, record_type)
    select ${timestampOf(sql.ref('seen'))}, ${timestampOf(sql.ref('seen'))}, relation, pivot, subject, record_type
      from unnest(${rows.map((row) => row.seenAtMs)}::float8[],
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

/** Deletes at most `limit` rows last seen before `beforeMs`, by a full scan, once a day. Returns their number. */
export async function deleteUnseenSince(db: Db, beforeMs: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from observation
     where ctid = any (array(select ctid from observation
                              where last_seen < ${timestampOf(beforeMs)} limit ${limit}))`.execute(db);
  return Number(numAffectedRows ?? 0);
}
