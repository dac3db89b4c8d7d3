import type { PlanChange } from '#capabilities/access/index.ts';
import { PLANS } from '#domain/plans/plans.ts';
import type { ProviderSubscription } from './provider.ts';

export type Judged =
  | {
      readonly kind: 'change';
      readonly change: PlanChange;
      /** The subscription that the plan comes from; null on FREE. */
      readonly subscription: ProviderSubscription | null;
    }
  | { readonly kind: 'nothing'; readonly why: string };

/** The statuses in which a subscription gives its plan, best first. */
const LIVE = ['active', 'trialing', 'past_due', 'suspended'] as const;
type LiveStatus = (typeof LIVE)[number];

/**
 * What the subscriptions of a customer mean for the plan of their account. The highest plan that is paid for counts, so that the end
 * or the renewal of one subscription takes nothing of another away. `told` is the subscription of the event.
 */
export function judgeSubscriptions(
  told: ProviderSubscription,
  others: readonly ProviderSubscription[],
): Judged {
  const all = [told, ...others.filter(({ id }) => id !== told.id)];
  const [best] = all.filter(isLive).toSorted(byWorth);
  if (best !== undefined)
    return { kind: 'change', change: { ...best.sold, status: best.status }, subscription: best };
  if (told.status === 'ended')
    return {
      kind: 'change',
      change: { plan: 'FREE', billing: null, status: 'canceled' },
      subscription: null,
    };
  if (told.status === 'unpaid') return { kind: 'nothing', why: 'not paid yet' };
  return { kind: 'nothing', why: `price ${told.price} is not sold here` };
}

type Live = ProviderSubscription & {
  readonly status: LiveStatus;
  readonly sold: NonNullable<ProviderSubscription['sold']>;
};

const isLive = (subscription: ProviderSubscription): subscription is Live =>
  subscription.sold !== null && LIVE.some((status) => status === subscription.status);

/** A suspended subscription is behind every other; then the plan decides, the status, and the end of the paid period. */
const byWorth = (a: Live, b: Live): number =>
  Number(a.status === 'suspended') - Number(b.status === 'suspended') ||
  PLANS.indexOf(b.sold.plan) - PLANS.indexOf(a.sold.plan) ||
  LIVE.indexOf(a.status) - LIVE.indexOf(b.status) ||
  (b.periodEndMs ?? 0) - (a.periodEndMs ?? 0);
