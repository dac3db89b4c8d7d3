import type { PlanChange } from '#capabilities/access/index.ts';
import type { ProviderSubscription } from './provider.ts';
import type { CustomerRow } from './store.ts';

export type Judged =
  | { readonly kind: 'change'; readonly change: PlanChange; readonly subscriptionId: string | null }
  | { readonly kind: 'nothing'; readonly why: string };

/**
 * What a subscription at the provider means for the plan of its account. The end of a subscription that is not the account's
 * current one takes nothing away: a person may have bought another plan before the old one ended.
 */
export function judgeSubscription(
  told: ProviderSubscription,
  known: Pick<CustomerRow, 'subscriptionId'> | undefined,
): Judged {
  const { status } = told;
  const isCurrent = known === undefined || known.subscriptionId === null || known.subscriptionId === told.id;
  if (status === 'unpaid') return { kind: 'nothing', why: 'not paid yet' };
  if (status === 'ended') {
    if (!isCurrent) return { kind: 'nothing', why: 'another subscription is in force' };
    return {
      kind: 'change',
      change: { plan: 'FREE', billing: null, status: 'canceled' },
      subscriptionId: null,
    };
  }
  if (told.sold === null) return { kind: 'nothing', why: `price ${told.price} is not sold here` };
  return { kind: 'change', change: { ...told.sold, status }, subscriptionId: told.id };
}
