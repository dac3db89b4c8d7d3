import type { Billing, Limits, Plan, SubscriptionStatus } from '#domain/plans/plans.ts';
import type { Principal } from '#platform/http/principal.ts';

/** An identified caller with what their subscription grants at this moment; every key or session principal is one. */
export type Caller = Principal & {
  readonly plan: Plan;
  readonly billing: Billing | null;
  readonly status: SubscriptionStatus;
  readonly limits: Limits;
  /** The API key that was used; null for a session. */
  readonly keyId: string | null;
};

/** The caller behind a principal, or null for an anonymous one. */
export const callerOf = (principal: Principal): Caller | null =>
  principal.kind === 'key' || principal.kind === 'session' ? (principal as Caller) : null;

/** Decisions 1.5 names the plan of callers without one. */
export const ANONYMOUS_PLAN = 'ANONYMOUS';
