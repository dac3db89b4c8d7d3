import { newId } from '#platform/ids.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { Decision } from '../contract.ts';

/** SQL of operators' decisions. Each function is one statement. */

export const insertDecision = (
  tx: Db,
  given: Omit<Decision, 'at'> & { readonly sourceNumber: number; readonly nowMs: number },
): Promise<unknown> =>
  sql`insert into dataset_decision (id, at, source_number, source_id, action, decided_by, gate, reason, content_sha256)
      values (${newId('dec', given.nowMs)}, ${timestampOf(given.nowMs)}, ${given.sourceNumber}, ${given.sourceId},
              ${given.action}, ${given.by}, ${given.gate}, ${given.reason}, ${given.contentSha256})`.execute(
    tx,
  );

const DECISIONS_MAX = 100;

/** Newest first. */
export async function listDecisions(db: Db): Promise<readonly Decision[]> {
  const { rows } = await sql<Decision>`
    select source_id as "sourceId", action, decided_by as by, gate, reason, content_sha256 as "contentSha256",
           to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from dataset_decision order by at desc, id desc limit ${DECISIONS_MAX}`.execute(db);
  return rows;
}
