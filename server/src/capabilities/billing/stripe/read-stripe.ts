import type { Billing, SubscriptionStatus } from '#domain/plans/plans.ts';
import { type News, PAID_PLANS, type PaidPlan, type ProviderSubscription } from '../provider.ts';
import type { StripeEvent, StripeSubscription } from './contract.ts';

/** The metadata field that holds our account id in every object we create at Stripe. */
export const ACCOUNT = 'account_id';

const STATUS: Readonly<Record<string, ProviderSubscription['status']>> = {
  active: 'active',
  trialing: 'trialing',
  past_due: 'past_due',
  unpaid: 'suspended',
  paused: 'suspended',
  incomplete: 'unpaid',
  incomplete_expired: 'ended',
  canceled: 'ended',
} satisfies Record<string, SubscriptionStatus | 'ended' | 'unpaid'>;

const BOUGHT = 'checkout.session.completed';
const CHANGED = /^customer\.subscription\./;

/** Events about anything but a subscription concern no plan. */
export function newsOf({ id, type, data: { object } }: StripeEvent): News {
  const accountId = object.metadata?.[ACCOUNT] ?? object.client_reference_id ?? null;
  if (type === BOUGHT) return { id, type, subscriptionId: idOf(object.subscription), accountId };
  return { id, type, subscriptionId: CHANGED.test(type) ? (object.id ?? null) : null, accountId };
}

const idOf = (reference: StripeEvent['data']['object']['subscription']): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/** `prices`: from `PLAN:BILLING` to the id of its price at Stripe. */
export function subscriptionOf(
  given: StripeSubscription,
  prices: ReadonlyMap<string, string>,
): ProviderSubscription {
  const [item] = given.items.data;
  const price = item?.price.id ?? '';
  const periodEnd = item?.current_period_end ?? given.current_period_end ?? null;
  return {
    id: given.id,
    customerId: typeof given.customer === 'string' ? given.customer : given.customer.id,
    accountId: given.metadata?.[ACCOUNT] ?? null,
    // A status that we do not know counts as `unpaid`: it takes no plan away and gives none.
    status: STATUS[given.status] ?? 'unpaid',
    sold: soldFor(price, prices),
    price,
    periodEndMs: periodEnd === null ? null : periodEnd * 1_000,
  };
}

function soldFor(price: string, prices: ReadonlyMap<string, string>): ProviderSubscription['sold'] {
  for (const [name, each] of prices) {
    const [plan, billing] = name.split(':');
    if (each === price && PAID_PLANS.some((paid) => paid === plan))
      return { plan: plan as PaidPlan, billing: billing as Billing };
  }
  return null;
}
