import { unavailable } from '#platform/errors.ts';
import { KEYED, type Policy, PUBLIC_READ } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { DAY_S } from '#platform/time-units.ts';
import { BillingPage, CheckoutBody, PlanTable, Subscription, SubscriptionMetrics } from './contract.ts';
import {
  describePlans,
  describeSubscription,
  measureSubscription,
  type SubscriptionDeps,
} from './describe-subscription.ts';
import type { BillingProvider } from './provider.ts';

export type BillingDeps = SubscriptionDeps & {
  /** Null: an operator assigns plans. */
  readonly provider: BillingProvider | null;
};

const TAGS = ['account'];
/** A key cannot buy: a person in a session of the dashboard does, and in an organization an owner or administrator. */
const BUYING: Policy = { ...KEYED, auth: 'session', role: ['OWNER', 'ADMIN'], class: 'C' };
const WITHOUT_PROVIDER = '503 where no billing provider is configured: an operator assigns plans there.';

export const billingRoutes = (deps: BillingDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/subscription',
    summary: 'The plan of your account, its limits and what this month has used of them.',
    tags: TAGS,
    policy: KEYED,
    reply: Subscription,
    handle: ({ principal }) => describeSubscription(deps, principal),
  }),
  route({
    method: 'GET',
    path: '/metrics/subscription',
    summary: 'Every meter of your account: used, allowed, and when it starts again.',
    tags: TAGS,
    policy: KEYED,
    reply: SubscriptionMetrics,
    handle: ({ principal }) => measureSubscription(deps, principal),
  }),
  route({
    method: 'GET',
    path: '/billing/plans',
    summary: 'The plans and their limits.',
    tags: TAGS,
    policy: PUBLIC_READ,
    reply: PlanTable,
    handle: () => describePlans(),
  }),
  route({
    method: 'POST',
    path: '/billing/checkout',
    summary: 'Buy a plan: the address of the page where it is paid.',
    description: WITHOUT_PROVIDER,
    tags: TAGS,
    policy: BUYING,
    body: CheckoutBody,
    reply: BillingPage,
    handle: async ({ principal: { accountId, userId }, body }) => ({
      url: await providerOf(deps).checkout({ accountId, userId, plan: body.plan, billing: body.billing }),
    }),
  }),
  route({
    method: 'POST',
    path: '/billing/portal',
    summary: 'The address of the page where your subscription is changed or ended.',
    description: WITHOUT_PROVIDER,
    tags: TAGS,
    policy: BUYING,
    reply: BillingPage,
    handle: async ({ principal: { accountId, userId } }) => ({
      url: await providerOf(deps).portal({ accountId, userId }),
    }),
  }),
];

function providerOf({ provider }: BillingDeps): BillingProvider {
  if (provider !== null) return provider;
  throw unavailable(
    'No billing provider is configured here. Ask the operator of this service to change the plan; the command is `admin plan set`.',
    DAY_S,
  );
}
