import { type Actor, clientAddress } from '#capabilities/access/index.ts';
import { notConfigured, ServiceError, unavailable } from '#platform/errors.ts';
import type { Intake } from '#platform/http/intake.ts';
import { KEYED, type Policy, PUBLIC_READ } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Postgres } from '#platform/postgres.ts';
import { DAY_S } from '#platform/time-units.ts';
import { applyNews, type NewsDeps } from './apply-news.ts';
import {
  BillingPage,
  CheckoutBody,
  PlanTable,
  Received,
  Subscription,
  SubscriptionMetrics,
  WebhookBody,
} from './contract.ts';
import {
  describePlans,
  describeSubscription,
  measureSubscription,
  type SubscriptionDeps,
} from './describe-subscription.ts';
import type { BillingProvider, News } from './provider.ts';
import { type CustomerRow, findCustomer } from './store.ts';

export type BillingDeps = Omit<SubscriptionDeps, 'periodEndOf'> & {
  /** Null: an operator assigns plans. */
  readonly provider: BillingProvider | null;
  /** What the provider knows the account as; undefined: nothing was bought for it yet. */
  readonly customerOf: (accountId: string) => Promise<Customer | undefined>;
  readonly applyNews: (
    provider: BillingProvider,
    news: News,
    from: Pick<Actor, 'ip' | 'requestId'>,
  ) => Promise<void>;
};
export type Customer = Pick<CustomerRow, 'customerId' | 'periodEndMs'>;

/** The functions of the routes that use the tables of billing. */
export const openBilling = (
  deps: NewsDeps & { readonly postgres: Postgres },
): Pick<BillingDeps, 'customerOf' | 'applyNews'> => ({
  customerOf: (accountId) => deps.postgres.withAccount(accountId, (tx) => findCustomer(tx, accountId)),
  applyNews: (provider, news, from) => applyNews(deps, provider, news, from),
});

const TAGS = ['Account'];
/** Only a person signed in to the dashboard can buy, not a key; in an organization only an owner or administrator. */
const BUYING: Policy = { ...KEYED, auth: 'session', role: ['OWNER', 'ADMIN'], class: 'C' };
/** For webhooks of the provider: not metered, because the signature of the body is what identifies the caller. */
const OF_PROVIDER: Policy = {
  ...PUBLIC_READ,
  meter: 'none',
  class: 'C',
  bodyMax: 256 * 1024,
  deadlineMs: 15_000,
};
/** Leaves the body unparsed, because the signature covers the bytes as they arrived. */
const AS_BYTES: Intake = {
  takeSlot: () => ({ read: async (bytes) => ({ bytes }), release: () => undefined }),
};
const WITHOUT_PROVIDER = '409 where no billing provider is configured: an operator assigns plans there.';

export const billingRoutes = (deps: BillingDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/subscription',
    summary: 'The plan of your account, its limits and what this month has used of them.',
    tags: TAGS,
    policy: KEYED,
    reply: Subscription,
    handle: ({ principal }) => describeSubscription(withPeriods(deps), principal),
  }),
  route({
    method: 'GET',
    path: '/metrics/subscription',
    summary: 'Every meter of your account: used, allowed, and when it starts again.',
    tags: TAGS,
    policy: KEYED,
    reply: SubscriptionMetrics,
    handle: ({ principal }) => measureSubscription(withPeriods(deps), principal),
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
    otherStatuses: { 409: 'No payment provider is configured.' },
    reply: BillingPage,
    handle: async ({ principal: { accountId, userId }, body }) => ({
      url: await providerOf(deps).checkout({
        accountId,
        userId,
        plan: body.plan,
        billing: body.billing,
        customerId: (await deps.customerOf(accountId))?.customerId ?? null,
      }),
    }),
  }),
  route({
    method: 'POST',
    path: '/billing/portal',
    summary: 'The address of the page where your subscription is changed or ended.',
    description: WITHOUT_PROVIDER,
    tags: TAGS,
    policy: BUYING,
    otherStatuses: { 409: 'No payment provider is configured, or nothing was bought for the account yet.' },
    reply: BillingPage,
    handle: async ({ principal: { accountId } }) => {
      const provider = providerOf(deps);
      const customer = await deps.customerOf(accountId);
      if (customer === undefined)
        throw new ServiceError('Conflict', 'Nothing was bought for this account yet. Buy a plan first.');
      return { url: await provider.portal(customer.customerId) };
    },
  }),
  webhookRoute(deps),
];

const webhookRoute = (deps: BillingDeps): Route =>
  route({
    method: 'POST',
    path: '/billing/webhook',
    summary: 'Events of the payment provider.',
    description: `Signed by the provider: 400 for a signature that is wrong or older than five minutes. Each event is applied once; one that is known answers 200 again. ${WITHOUT_PROVIDER}`,
    tags: TAGS,
    policy: OF_PROVIDER,
    body: WebhookBody,
    intake: AS_BYTES,
    reply: Received,
    handle: async ({ body, request }) => {
      // A payment provider delivers an event again for days, so here a later answer can differ (decisions O34).
      if (deps.provider === null) throw unavailable(NO_PROVIDER, DAY_S);
      const { provider } = deps;
      const { bytes } = body as unknown as { readonly bytes: Uint8Array };
      const news = provider.readNews(request.headers, bytes);
      await deps.applyNews(provider, news, { ip: clientAddress(request), requestId: request.id });
      return { received: true as const };
    },
  });

const withPeriods = (deps: BillingDeps): SubscriptionDeps => ({
  ...deps,
  periodEndOf: async (accountId) => (await deps.customerOf(accountId))?.periodEndMs ?? null,
});

const NO_PROVIDER =
  'No payment provider is configured on this service. Ask its operator to change the plan with the command `admin plan set`.';

function providerOf({ provider }: BillingDeps): BillingProvider {
  if (provider !== null) return provider;
  throw notConfigured(NO_PROVIDER);
}
