import type { Reason } from '#capabilities/lists/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf } from '#platform/sql-time.ts';

/** A source and the result of its last run. Times are milliseconds; null: never. */
export type FeedStatus = {
  readonly id: string;
  readonly name: string;
  readonly threatClass: string;
  readonly fpRisk: string;
  readonly category: string;
  readonly letter: string;
  readonly licence: string | null;
  readonly scheduled: boolean;
  readonly enabled: boolean;
  readonly entries: number;
  readonly intervalS: number;
  readonly cluster: string | null;
  readonly ownList: boolean;
  /** 0: the list does not expire. */
  readonly expiresDays: number;
  readonly reliability: number;
  readonly redistributable: boolean;
  readonly exported: boolean;
  readonly lastFetchAtMs: number | null;
  readonly dataAtMs: number | null;
  readonly checkedAtMs: number | null;
  /** When the publisher last delivered the list, or said that it is unchanged; imports of files do not count. */
  readonly fetchedAtMs: number | null;
  readonly nextRunAtMs: number | null;
  readonly failures: number;
  readonly problem: string | null;
  readonly problemSinceMs: number | null;
  readonly rebaseMs: number;
  readonly quarantinedBy: string | null;
  readonly lastRun: LastRun | null;
};

export type LastRun = {
  readonly id: string;
  readonly status: string;
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
  readonly reason: string | null;
  readonly lines: number | null;
  readonly accepted: number | null;
  readonly rejected: number | null;
  readonly unsupported: number | null;
  readonly added: number | null;
  readonly removed: number | null;
  readonly changed: number | null;
  readonly reasons: readonly Reason[];
};

/** All sources in order of their id, or one. */
export async function readFeedStatus(db: Db, id: string | null): Promise<readonly FeedStatus[]> {
  const { rows } = await sql<FeedStatus>`
    select s.id, s.name, s.threat_class as "threatClass", s.fp_risk as "fpRisk", s.category, s.letter, s.licence,
           s.scheduled, s.enabled, s.entries, s.interval_s as "intervalS", s.cluster,
           s.own_list as "ownList", s.expires_days as "expiresDays", s.reliability, s.redistributable, s.exported,
           ${msOf('s.last_fetch_at')} as "lastFetchAtMs", ${msOf('s.data_at')} as "dataAtMs",
           ${msOf('f.checked_at')} as "checkedAtMs", ${msOf('f.fetched_at')} as "fetchedAtMs",
           ${msOf('f.next_run_at')} as "nextRunAtMs",
           coalesce(f.failures, 0) as failures, f.problem, ${msOf('f.problem_since')} as "problemSinceMs",
           coalesce(f.rebase_ms, 0)::float8 as "rebaseMs", q.gate as "quarantinedBy", r.run as "lastRun"
      from source s
      left join feed_state f on f.source_number = s.number
      left join feed_quarantine q on q.source_number = s.number
      left join lateral (
        select json_build_object(
                 'id', u.id, 'status', u.status, 'reason', u.reason,
                 'startedAtMs', ${msOf('u.started_at')}, 'finishedAtMs', ${msOf('u.finished_at')},
                 'lines', u.lines, 'accepted', u.accepted, 'rejected', u.rejected, 'unsupported', u.unsupported,
                 'added', u.added, 'removed', u.removed, 'changed', u.changed, 'reasons', u.reasons) as run
          from feed_run u where u.source_number = s.number order by u.started_at desc, u.id desc limit 1) r on true
     where (${id}::text is null or s.id = ${id})
     order by s.id`.execute(db);
  return rows;
}
