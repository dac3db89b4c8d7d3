import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { findLatestBrief } from './brief-store.ts';
import { Overview } from './contract.ts';
import { RiskBrief, RiskBriefReply } from './contract-brief.ts';
import { type ActionCenterDeps, readOverview } from './read-overview.ts';

const TAGS = ['action center'];
const READ: Policy = { ...KEYED, since: '1.1.0' };

export const actionCenterRoutes = (deps: ActionCenterDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/action-center/overview',
    summary: 'What needs a decision now: figures, a queue and the next steps.',
    description:
      'Alerts, findings and cases of the account. A part that cannot be read is zeros, named in `missing` with `degraded: true`.',
    tags: TAGS,
    policy: READ,
    reply: Overview,
    handle: ({ principal }) => readOverview(deps, principal),
  }),
  route({
    method: 'GET',
    path: '/risk-brief/latest',
    summary: 'The brief of the last week, or null before the first.',
    description:
      'Written every Monday at 00:00 UTC for accounts that watch something. The same facts give the same brief; the points of `scoreParts` add up to the score.',
    tags: TAGS,
    policy: READ,
    reply: RiskBriefReply,
    handle: async ({ principal: { accountId } }): Promise<RiskBriefReply> => {
      const found = await deps.postgres.withAccount(accountId, (tx) => findLatestBrief(tx, accountId));
      // A stored brief of another version is not shown; the next Monday writes one of this version.
      const brief = RiskBrief.safeParse(found);
      return {
        success: true,
        data: brief.success ? brief.data : null,
        timestamp: new Date(deps.clock.now()).toISOString(),
      };
    },
  }),
];
