import { z } from 'zod';
import { countAccounts } from '#capabilities/access/index.ts';
import {
  describeFeed,
  listSubmissions,
  type PipelineDeps,
  readFeedStatus,
} from '#capabilities/feeds/index.ts';
import { countLetters } from '#capabilities/letters/index.ts';
import { listNotices } from '#capabilities/status/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import { countJobs } from '#platform/jobs/queue-view.ts';
import { count, timestamp } from './contract.ts';
import { OPERATORS } from './policy.ts';
import type { WebhookDesk } from './webhook-routes.ts';

const Overview = z
  .object({
    generatedAt: timestamp,
    sources: z.object({
      total: count,
      entries: count,
      byStatus: z.record(z.string(), count),
      quarantined: z.array(z.string()).describe('Sources whose newest download waits for an operator.'),
    }),
    submissions: z.object({ pending: count }),
    accounts: z.object({ users: count, organizations: count, paying: count }),
    jobs: z.object({ running: count, failed: count, waiting: count, planned: count }),
    letters: z.record(z.string(), count).describe('By state.'),
    webhooks: z.object({ failing: count }),
    notices: z.object({ open: count }),
  })
  .meta({ id: 'OperatorOverview' });

export type OverviewDeps = PipelineDeps & { readonly webhooks: WebhookDesk };

export const overviewRoutes = (deps: OverviewDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/admin/overview',
    summary: 'What needs an operator: sources, proposals, jobs, letters, endpoints.',
    tags: ['operators'],
    policy: OPERATORS,
    reply: Overview,
    handle: () => describe(deps),
  }),
];

async function describe({ system, clock, webhooks }: OverviewDeps): Promise<z.output<typeof Overview>> {
  const { db } = system;
  const nowMs = clock.now();
  const sources = (await readFeedStatus(db, null)).map((source) => describeFeed(source, nowMs));
  const byStatus: Record<string, number> = {};
  for (const { status } of sources) byStatus[status] = (byStatus[status] ?? 0) + 1;
  const notices = await listNotices({ postgres: system, clock });
  return {
    generatedAt: new Date(nowMs).toISOString(),
    sources: {
      total: sources.length,
      entries: sources.reduce((sum, { entries }) => sum + entries, 0),
      byStatus,
      quarantined: sources.flatMap(({ id, quarantinedBy }) => (quarantinedBy === null ? [] : [id])),
    },
    submissions: { pending: (await listSubmissions(system)).length },
    accounts: await countAccounts(db),
    jobs: await countJobs(db),
    letters: Object.fromEntries((await countLetters(db)).map(({ state, letters }) => [state, letters])),
    webhooks: { failing: await webhooks.countFailing() },
    notices: { open: notices.filter(({ endsAt }) => endsAt === null || endsAt.getTime() > nowMs).length },
  };
}
