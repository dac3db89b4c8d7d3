import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { DatasetCursor, FetchedPart, Quarantined } from '../contract.ts';

const iso = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export type QuarantineRow = Quarantined & {
  readonly sourceNumber: number;
  /** Names in the artifact store, one per part. */
  readonly artifacts: readonly string[];
  readonly parts: readonly FetchedPart[];
  readonly dataAtMs: number | null;
  /** Where the next download starts, by this one; stored so that a release can save it. */
  readonly cursor: DatasetCursor;
};

const COLUMNS = sql`
  s.id as "sourceId", q.source_number as "sourceNumber", q.run_id as "runId", ${iso('q.since')} as since, q.gate, q.reason,
  q.artifact is not null as "isReleasable", ${iso('q.data_at')} as "dataAt", q.content_sha256 as "contentSha256",
  coalesce(string_to_array(q.artifact, ' '), '{}') as artifacts, q.parts,
  ${msOf('q.data_at')} as "dataAtMs", q.cursor`;

export async function readQuarantine(db: Db, sourceId: string | null): Promise<readonly QuarantineRow[]> {
  const { rows } = await sql<QuarantineRow>`
    select ${COLUMNS} from feed_quarantine q join dataset_name s on s.number = q.source_number
     where ${sourceId}::text is null or s.id = ${sourceId} order by q.since desc, s.id limit 32767`.execute(
    db,
  );
  return rows;
}

/** Inserts or replaces the quarantine of a source; a replaced one keeps `since`, the time of the first bad download. */
export const saveQuarantine = (
  tx: Db,
  given: {
    readonly sourceNumber: number;
    readonly runId: string;
    readonly sinceMs: number;
    readonly gate: string;
    readonly reason: string;
    readonly artifacts: readonly string[];
    readonly parts: readonly FetchedPart[];
    readonly contentSha256: string | null;
    readonly dataAtMs: number | null;
    readonly cursor?: DatasetCursor;
  },
): Promise<unknown> =>
  sql`insert into feed_quarantine
        (source_number, run_id, since, gate, reason, artifact, parts, content_sha256, data_at, cursor)
      values (${given.sourceNumber}, ${given.runId}, ${timestampOf(given.sinceMs)}, ${given.gate}, ${given.reason},
              ${given.artifacts.length === 0 ? null : given.artifacts.join(' ')}, ${JSON.stringify(given.parts)}::jsonb,
              ${given.contentSha256}, ${timestampOf(given.dataAtMs)},
              ${given.cursor === undefined || given.cursor === null ? null : JSON.stringify(given.cursor)}::jsonb)
      on conflict (source_number) do update set run_id = excluded.run_id, gate = excluded.gate,
             reason = excluded.reason, artifact = excluded.artifact, parts = excluded.parts,
             content_sha256 = excluded.content_sha256, data_at = excluded.data_at,
             cursor = excluded.cursor`.execute(tx);

/** Returns the names of its artifacts, which must be deleted as well. */
export async function deleteQuarantine(tx: Db, sourceNumber: number): Promise<readonly string[]> {
  const { rows } = await sql<{ artifact: string | null }>`
    delete from feed_quarantine where source_number = ${sourceNumber} returning artifact`.execute(tx);
  return rows[0]?.artifact?.split(' ') ?? [];
}
