import { DEFAULT_BODY_MAX, type Policy } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { Health, Liveness, Readiness } from './contract.ts';
import { createStatus, type StatusDeps } from './report-health.ts';

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

export const statusRoutes = (deps: StatusDeps): readonly Route[] => {
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
  ];
};
