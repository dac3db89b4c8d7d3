import type { Billing, Plan, SubscriptionStatus } from '#domain/plans/plans.ts';

export const PAID_PLANS = ['BASIC', 'PRO', 'ENTERPRISE'] as const satisfies readonly Plan[];
export type PaidPlan = (typeof PAID_PLANS)[number];

export type Order = {
  readonly accountId: string;
  readonly userId: string;
  readonly plan: PaidPlan;
  readonly billing: Billing;
};

/** What the provider delivered, once its signature and age were checked. */
export type News = {
  /** The provider's id of the event; each is applied once. */
  readonly id: string;
  readonly type: string;
  /** The subscription that the event is about; null: the event concerns no plan. */
  readonly subscriptionId: string | null;
  /** The account that ordered, where the event names it. */
  readonly accountId: string | null;
};

/** A subscription as the provider has it now. */
export type ProviderSubscription = {
  readonly id: string;
  readonly customerId: string;
  /** The account that ordered, as our checkout stored it at the provider. */
  readonly accountId: string | null;
  /** `ended`: it does not come back. `unpaid`: not paid for the first time yet, so nothing was bought. */
  readonly status: SubscriptionStatus | 'ended' | 'unpaid';
  /** What the price of the subscription buys; null: a price that this service does not sell. */
  readonly sold: { readonly plan: PaidPlan; readonly billing: Billing } | null;
  readonly price: string;
  readonly periodEndMs: number | null;
};

/**
 * A company that takes payments. It answers with the address of a page of its own, where a person pays or changes a
 * subscription, and delivers events about it. Stripe is built in; without one an operator assigns plans.
 */
export type BillingProvider = {
  readonly checkout: (order: Order & { readonly customerId: string | null }) => Promise<string>;
  readonly portal: (customerId: string) => Promise<string>;
  /** Throws 400 for bytes that the provider did not sign, or signed too long ago. */
  readonly readNews: (
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    bytes: Uint8Array,
  ) => News;
  readonly readSubscription: (id: string) => Promise<ProviderSubscription>;
  /** The subscriptions of a customer that have not ended. */
  readonly listSubscriptions: (customerId: string) => Promise<readonly ProviderSubscription[]>;
};
