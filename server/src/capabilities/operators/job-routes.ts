import type { z } from 'zod';
import { listAudit } from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import { type Route, route } from '#platform/http/route.ts';
import { countJobs, listJobs, type QueuedJob, retryJob } from '#platform/jobs/queue-view.ts';
import type { Postgres } from '#platform/postgres.ts';
import { nextOf } from './account-routes.ts';
import { act } from './act.ts';
import { ActPage, ActsQuery, JobPage, JobParams, JobsQuery, RetriedJob } from './contract.ts';
import { OPERATORS } from './policy.ts';
import { selectActs } from './store.ts';

export type JobRoutesDeps = { readonly system: Postgres; readonly clock: Clock };

const TAGS = ['operators'];

/** Routes of the worker's queue, and of the audit trails of operators and accounts. */
export const jobRoutes = (deps: JobRoutesDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/admin/jobs',
    summary: 'Jobs of the worker, newest first; those that failed for good when no state is sent.',
    tags: TAGS,
    policy: OPERATORS,
    query: JobsQuery,
    reply: JobPage,
    handle: async ({ query: { state, before, limit } }) => {
      const { db } = deps.system;
      const wanted = { state: state === 'all' ? null : state, before: before ?? null, limit };
      const [counts, jobs] = [await countJobs(db), await listJobs(db, wanted)];
      return { counts, jobs: jobs.map(viewOf), next: nextOf(jobs, limit) };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/jobs/:id/retry',
    summary: 'Run a job now, with all its attempts again.',
    tags: TAGS,
    policy: OPERATORS,
    params: JobParams,
    otherStatuses: { 409: 'The job is running.' },
    reply: RetriedJob,
    handle: (call) =>
      act(deps, call, { action: 'job.retry', target: call.params.id }, async () => {
        const { id } = call.params;
        const outcome = await retryJob(deps.system.db, id);
        if (outcome === 'missing') throw notFound('Job', id);
        if (outcome === 'running')
          throw new ServiceError('Conflict', `Job '${id}' is running. Wait for its end.`);
        return { jobId: id, retried: true as const };
      }),
  }),
  route({
    method: 'GET',
    path: '/admin/audit',
    summary: 'Acts of operators, or the audit trail of accounts, newest first.',
    tags: TAGS,
    policy: OPERATORS,
    query: ActsQuery,
    reply: ActPage,
    handle: ({ query }) => readAudit(deps, query),
  }),
];

const viewOf = ({ createdAtMs, runAtMs, lockedAtMs, ...job }: QueuedJob) => ({
  ...job,
  createdAt: new Date(createdAtMs).toISOString(),
  runAt: new Date(runAtMs).toISOString(),
  lockedAt: lockedAtMs === null ? null : new Date(lockedAtMs).toISOString(),
});

async function readAudit(
  { system }: JobRoutesDeps,
  query: z.output<typeof ActsQuery>,
): Promise<z.output<typeof ActPage>> {
  const { of, limit } = query;
  const before = query.before ?? null;
  if (of === 'operators') {
    const acts = await selectActs(system.db, { operator: query.operator ?? null, before, limit });
    const entries = acts.map(({ operator: id, at, ...row }) => ({
      ...row,
      detail: { ...row.detail },
      at: at.toISOString(),
      actor: { kind: 'operator', id },
      accountId: null,
    }));
    return { entries, next: nextOf(acts, limit) };
  }
  const rows = await listAudit(system.db, { accountId: query.accountId ?? null, before, limit });
  const entries = rows.map(({ actorKind, actorId, at, ...row }) => ({
    ...row,
    detail: { ...row.detail },
    at: at.toISOString(),
    actor: { kind: actorKind, id: actorId },
    outcome: null,
    reason: null,
  }));
  return { entries, next: nextOf(rows, limit) };
}
