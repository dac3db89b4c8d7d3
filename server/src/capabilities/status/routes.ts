import type { Clock } from '#platform/clock.ts';
import { DEFAULT_BODY_MAX, type Policy, PUBLIC_READ } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { Health, Liveness, PlatformStatus, Readiness } from './contract.ts';
import { createStatus, type Status, type StatusDeps } from './report-health.ts';
import { createStatusPage, type StatusPageDeps } from './report-status.ts';

const PROBE: Policy = {
  surface: 'api',
  auth: 'public',
  plan: 'any',
  meter: 'none',
  bodyMax: DEFAULT_BODY_MAX,
  deadlineMs: 2_000,
  class: 'A',
  probe: true,
  since: '1.0.0',
  extension: true,
};
const RETRY_AFTER_S = '5';

/** Without `page` there is no public status page. */
export type StatusRoutesDeps = StatusDeps & { readonly page?: StatusPageDeps };

export const statusRoutes = (deps: StatusRoutesDeps): readonly Route[] => {
  const status = createStatus(deps);
  return [
    route({
      method: 'GET',
      path: '/livez',
      summary: 'Is the process alive? Asks nothing of any engine.',
      tags: ['status'],
      policy: PROBE,
      reply: Liveness,
      handle: ({ reply }) => {
        reply.header('cache-control', 'no-store');
        return { status: 'alive' as const };
      },
    }),
    route({
      method: 'GET',
      path: '/readyz',
      summary: 'Should a load balancer send callers here?',
      description:
        '503 while the local replica is not verified yet, and from the first moment of a shutdown.',
      tags: ['status'],
      policy: PROBE,
      reply: Readiness,
      handle: async ({ reply }) => {
        const answer = await status.ready();
        reply.header('cache-control', 'no-store');
        if (!answer.ready) reply.code(503).header('retry-after', RETRY_AFTER_S);
        return answer;
      },
    }),
    route({
      method: 'GET',
      path: '/health',
      summary: 'How the service and its engines are.',
      description: '200 when operational or degraded, 503 when the database is down.',
      tags: ['status'],
      policy: { ...PROBE, surface: 'both', meter: 'public', extension: false },
      reply: Health,
      handle: async ({ reply }) => {
        const answer = await status.health();
        reply.header('cache-control', 'no-store');
        if (answer.status === 'down') reply.code(503).header('retry-after', RETRY_AFTER_S);
        return answer;
      },
    }),
    ...(deps.page === undefined ? [] : [statusPageRoute(deps.clock, deps.page, status)]),
  ];
};

function statusPageRoute(clock: Clock, deps: StatusPageDeps, { health }: Pick<Status, 'health'>): Route {
  const page = createStatusPage({ ...deps, clock }, health);
  return route({
    method: 'GET',
    path: '/platform/status',
    summary: 'The public status page: services, freshness, notices, what a canary measured.',
    description: 'Always 200: a part that cannot be read is null, or as old as a day.',
    tags: ['status'],
    policy: { ...PUBLIC_READ, extension: true },
    reply: PlatformStatus,
    handle: async ({ reply }) => {
      reply.header('cache-control', 'public, max-age=10');
      return page();
    },
  });
}
