import { type Caller, callerOf } from '#capabilities/access/index.ts';
import type { MeterMonth } from '#capabilities/usage/index.ts';
import { BILLINGS, type Limits, PLAN_LIMITS, PLANS } from '#domain/plans/plans.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { PlanTable, Subscription, SubscriptionMetrics } from './contract.ts';

export type SubscriptionDeps = {
  readonly monthOf: (principal: Principal) => Promise<MeterMonth>;
  /** The end of the paid period; null where the account pays for nothing. */
  readonly periodEndOf: (accountId: string) => Promise<number | null>;
  readonly indicatorsToday: (accountId: string) => Promise<number>;
  readonly watchedItems: (accountId: string) => Promise<number>;
  readonly storageOf: (accountId: string, limits: Limits) => Promise<SubscriptionMetrics['storage']>;
};

export const describePlans = (): PlanTable => ({
  plans: PLANS.map((plan) => ({
    plan,
    billings: plan === 'FREE' ? [] : [...BILLINGS],
    limits: limitsIn(PLAN_LIMITS[plan]),
  })),
});

export async function describeSubscription(
  { monthOf, periodEndOf }: SubscriptionDeps,
  principal: Principal,
): Promise<Subscription> {
  const { plan, billing, status, limits, accountId } = knownCaller(principal);
  const [{ checks, scans, resetsAtMs }, periodEndMs] = await Promise.all([
    monthOf(principal),
    periodEndOf(accountId),
  ]);
  return {
    plan,
    billing,
    status,
    limits: limitsIn(limits),
    usage: { checks: checks.used, scans: scans.used, resetsAt: new Date(resetsAtMs).toISOString() },
    periodEnd: periodEndMs === null ? null : new Date(periodEndMs).toISOString(),
  };
}

export async function measureSubscription(
  { monthOf, indicatorsToday, watchedItems, storageOf }: SubscriptionDeps,
  principal: Principal,
): Promise<SubscriptionMetrics> {
  const { plan, limits, accountId, organizationId } = knownCaller(principal);
  const [{ checks, scans, resetsAtMs }, today, watched, storage] = await Promise.all([
    monthOf(principal),
    organizationId === null ? 0 : indicatorsToday(accountId),
    watchedItems(accountId),
    storageOf(accountId, limits),
  ]);
  const resetsAt = new Date(resetsAtMs).toISOString();
  return {
    plan,
    monthly: { ...checks, resetsAt },
    scans: { ...scans, resetsAt },
    burst: { limit: limits.burstPerMinute },
    indicators: { today, limit: organizationId === null ? 0 : limits.orgIndicatorsPerDay },
    watches: { used: watched, limit: limits.watchItems },
    storage,
  };
}

/** The routes take no anonymous callers. */
function knownCaller(principal: Principal): Caller {
  const caller = callerOf(principal);
  if (caller === null) throw new Error('A caller without an account reached a route of accounts.');
  return caller;
}

/** Names each limit to publish, so that a limit added to the plan table stays internal until it is added here. */
const limitsIn = (limits: Limits): Subscription['limits'] => ({
  burstPerMinute: limits.burstPerMinute,
  checksPerMonth: limits.checksPerMonth,
  scansPerMonth: limits.scansPerMonth,
  bulkEntities: limits.bulkEntities,
  orgIndicatorsPerDay: limits.orgIndicatorsPerDay,
  streams: limits.streams,
  watchPerimeters: limits.watchPerimeters,
  watchComponents: limits.watchComponents,
  webhooks: limits.webhooks,
  watchItems: limits.watchItems,
  cases: limits.cases,
  caseEvidenceBytes: limits.caseEvidenceBytes,
  storageBytes: limits.storageBytes,
});
