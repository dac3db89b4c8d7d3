import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { DAY_MS } from '#platform/time-units.ts';
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
      const nowMs = deps.clock.now();
      const timestamp = new Date(nowMs).toISOString();
      if (brief.success) return { success: true, data: brief.data, timestamp };
      return { success: true, data: null, timestamp, message: noBriefYet(nowMs) };
    },
  }),
];

const MONDAY = 1;
const DAYS_A_WEEK = 7;

/** The sentence of an account without a brief, with the day of the next one. */
function noBriefYet(nowMs: number): string {
  const today = new Date(nowMs).getUTCDay();
  const days = (MONDAY - today + DAYS_A_WEEK) % DAYS_A_WEEK || DAYS_A_WEEK;
  const day = new Date(nowMs + days * DAY_MS).toISOString().slice(0, 10);
  return `No brief was written for this account yet. Briefs are written on Mondays at 00:00 UTC, next on ${day}, for accounts that watch values, CVEs or own open cases and alerts.`;
}
