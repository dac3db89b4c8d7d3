import { PlanChanged } from '#capabilities/access/index.ts';
import type { ReaderSpec } from '#platform/events.ts';
import type { Db } from '#platform/postgres.ts';
import { allowanceOf } from './allowance.ts';
import { type EndDeps, switchOff } from './end-endpoint.ts';
import { lockEnabled, lockEndpointsOf, selectOwners } from './store.ts';

/** Each account may skip the waiting deliveries of 50 endpoints, so a batch has few accounts. */
const ACCOUNTS_AT_ONCE = 10;

/** The reader that disables the webhooks above the limit of an account's new plan. */
export const plansReader = (deps: EndDeps): ReaderSpec => ({
  name: 'webhooks.plans',
  types: [PlanChanged.name],
  batchMax: ACCOUNTS_AT_ONCE,
  // The migration wrote events for the accounts that existed before it; these are among the oldest.
  from: 'start',
  handle: (tx, events) =>
    keepToPlan(deps, tx, [...new Set(events.flatMap(({ accountId }) => accountId ?? []))]),
});

/** The oldest webhooks stay enabled; what waits at the others becomes `skipped`, and the owners get one letter. */
async function keepToPlan(deps: EndDeps, tx: Db, accountIds: readonly string[]): Promise<void> {
  for (const accountId of accountIds.toSorted()) await lockEndpointsOf(tx, accountId);
  const byAccount = Map.groupBy(await lockEnabled(tx, accountIds), ({ accountId }) => accountId);
  const nowMs = deps.clock.now();
  for (const [accountId, enabled] of byAccount) {
    const allowed = await allowanceOf(tx, accountId);
    const above = enabled.slice(allowed);
    for (const { id } of above) await switchOff(tx, id, 'plan', nowMs);
    if (above.length > 0) await tellOwners(deps, tx, { accountId, disabled: above.length, allowed, nowMs });
  }
}

type Ended = {
  readonly accountId: string;
  readonly disabled: number;
  readonly allowed: number;
  readonly nowMs: number;
};

async function tellOwners(
  { letters }: EndDeps,
  tx: Db,
  { accountId, disabled, allowed, nowMs }: Ended,
): Promise<void> {
  const facts = {
    disabled: String(disabled),
    allowed: String(allowed),
    when: new Date(nowMs).toISOString(),
  };
  for (const { email, userId } of await selectOwners(tx, accountId))
    await letters.enqueueLetter(tx, {
      to: email,
      kind: 'webhooks-over-plan',
      facts,
      accountId,
      key: `webhooks:${accountId}:${nowMs}:${userId}`,
    });
}
