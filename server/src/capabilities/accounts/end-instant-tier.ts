import { type Actor, changePlan, findSubscription } from '#capabilities/access/index.ts';
import type { Db } from '#platform/postgres.ts';
import { INSTANT_CHECKS_PER_MONTH } from './create-instant-key.ts';
import type { PeopleDeps } from './people-deps.ts';
import { liftInstantLimit } from './store.ts';

/**
 * Gives the account of an instant key the plan of people who register, because its owner has proven the address. A plan
 * that an operator set meanwhile stays.
 */
export async function endInstantTier(
  { clock, defaultPlan }: PeopleDeps,
  tx: Db,
  userId: string,
  actor: Actor,
): Promise<void> {
  await liftInstantLimit(tx, userId, INSTANT_CHECKS_PER_MONTH);
  if (defaultPlan === 'FREE' || (await findSubscription(tx, userId))?.plan !== 'FREE') return;
  await changePlan(tx, actor, userId, { plan: defaultPlan }, clock.now());
}
