import { findSubscription } from '#capabilities/access/index.ts';
import { limitsOf, type Plan, planReaches } from '#domain/plans/plans.ts';
import type { Db } from '#platform/postgres.ts';
import { countEnabled, lockEndpointsOf } from './store.ts';

/** The smallest plan with webhooks. */
export const WEBHOOKS_FROM: Plan = 'BASIC';

/** How many webhooks the current subscription allows; read anew, because the caller's record may be a second old. */
export async function allowanceOf(tx: Db, accountId: string): Promise<number> {
  const subscription = await findSubscription(tx, accountId);
  if (subscription === undefined || !planReaches(subscription.plan, WEBHOOKS_FROM)) return 0;
  const { plan, status, limits } = subscription;
  return limitsOf(plan, status, limits).webhooks;
}

export type Room = { readonly enabled: number; readonly allowed: number };

/** Counts the webhooks under a lock: until the transaction ends no other of the account is made or enabled. */
export async function lockRoom(tx: Db, accountId: string): Promise<Room> {
  await lockEndpointsOf(tx, accountId);
  return { enabled: await countEnabled(tx, accountId), allowed: await allowanceOf(tx, accountId) };
}
