import { type Db, sql } from '#platform/postgres.ts';
import { msOf } from '#platform/sql-time.ts';
import type { FeedRun } from './describe-pipeline.ts';
import type { FeedState } from './judge-freshness.ts';

/** SQL of the freshness report. Each function is one statement. */

type StateRow = Omit<FeedState, 'quarantine'> & {
  readonly quarantineReason: string | null;
  readonly isReleasable: boolean;
};

/** The state of the feeds pipeline for every source: some hundred rows. */
export async function listFeedStates(db: Db): Promise<readonly FeedState[]> {
  const { rows } = await sql<StateRow>`
    select source_number as "sourceNumber", ${msOf('s.next_run_at')} as "nextRunAtMs", s.problem,
           coalesce(s.rebase_ms, 0)::float8 as "rebaseMs", q.reason as "quarantineReason",
           q.artifact is not null as "isReleasable"
      from feed_state s full join feed_quarantine q using (source_number)
     order by source_number
     limit 32767`.execute(db);
  return rows.map(({ quarantineReason, isReleasable, ...state }) => ({
    ...state,
    quarantine: quarantineReason === null ? null : { reason: quarantineReason, isReleasable },
  }));
}

export async function findNewestRun(db: Db): Promise<FeedRun | undefined> {
  const { rows } = await sql<FeedRun>`
    select r.id, s.id as "sourceId", r.status, r.reason, ${msOf('r.started_at')} as "startedAtMs",
           ${msOf('r.finished_at')} as "finishedAtMs", r.phases
      from feed_run r left join dataset_name s on s.number = r.source_number
     order by r.started_at desc, r.id desc
     limit 1`.execute(db);
  return rows[0];
}
