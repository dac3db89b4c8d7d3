import type { Billing, Plan } from '#domain/plans/plans.ts';

export const PAID_PLANS = ['BASIC', 'PRO', 'ENTERPRISE'] as const satisfies readonly Plan[];
export type PaidPlan = (typeof PAID_PLANS)[number];

export type Order = {
  readonly accountId: string;
  readonly userId: string;
  readonly plan: PaidPlan;
  readonly billing: Billing;
};

/**
 * A company that takes payments. It answers with the address of a page of its own, where a person pays or changes a
 * subscription. None is built in: an operator assigns plans.
 */
export type BillingProvider = {
  readonly checkout: (order: Order) => Promise<string>;
  readonly portal: (account: Pick<Order, 'accountId' | 'userId'>) => Promise<string>;
};
