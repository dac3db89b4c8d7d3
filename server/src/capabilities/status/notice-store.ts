import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** SQL of notices. One statement per function. */

export const NOTICE_SEVERITIES = ['info', 'maintenance', 'incident'] as const;
export type NoticeSeverity = (typeof NOTICE_SEVERITIES)[number];

export type NoticeRow = {
  readonly id: string;
  readonly severity: NoticeSeverity;
  readonly title: string;
  readonly body: string;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly createdBy: string;
};

const COLUMNS = sql`id, severity, title, body, starts_at as "startsAt", ends_at as "endsAt", created_by as "createdBy"`;

export async function insertNotice(
  tx: Db,
  notice: Omit<NoticeRow, 'startsAt' | 'endsAt'> & {
    readonly startsAtMs: number;
    readonly endsAtMs: number | null;
  },
  nowMs: number,
): Promise<NoticeRow | undefined> {
  const { rows } = await sql<NoticeRow>`
    insert into status_notice (id, severity, title, body, starts_at, ends_at, created_by, created_at)
    values (${notice.id}, ${notice.severity}, ${notice.title}, ${notice.body}, ${timestampOf(notice.startsAtMs)},
            ${timestampOf(notice.endsAtMs)}, ${notice.createdBy}, ${timestampOf(nowMs)})
    returning ${COLUMNS}`.execute(tx);
  return rows[0];
}

/** Ends a notice; undefined if there is none with this id or it has already ended. */
export async function endNoticeRow(tx: Db, id: string, nowMs: number): Promise<NoticeRow | undefined> {
  const at = timestampOf(nowMs);
  const { rows } = await sql<NoticeRow>`
    update status_notice set ends_at = greatest(starts_at, ${at})
     where id = ${id} and (ends_at is null or ends_at > ${at}) returning ${COLUMNS}`.execute(tx);
  return rows[0];
}

/** Notices that had not ended at `sinceMs`, the newest first, planned ones included. */
export async function selectNotices(db: Db, sinceMs: number, limit: number): Promise<readonly NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    select ${COLUMNS} from status_notice
     where ends_at is null or ends_at > ${timestampOf(sinceMs)}
     order by starts_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}
