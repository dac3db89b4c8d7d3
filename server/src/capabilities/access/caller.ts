import type { Billing, Limits, Plan, SubscriptionStatus } from '#domain/plans/plans.ts';
import type { Principal } from '#platform/http/principal.ts';

/** An identified caller with the current grants of the subscription; every key or session principal is one. */
export type Caller = Principal & {
  readonly plan: Plan;
  readonly billing: Billing | null;
  readonly status: SubscriptionStatus;
  readonly limits: Limits;
  /** The key of the call, or the key that opened the session; null for a session opened in another way. */
  readonly keyId: string | null;
};

export const callerOf = (principal: Principal): Caller | null =>
  principal.kind === 'key' || principal.kind === 'session' ? (principal as Caller) : null;

/** The plan name of anonymous callers (decisions 1.5). */
export const ANONYMOUS_PLAN = 'ANONYMOUS';
