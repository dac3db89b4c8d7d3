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
  /** How the session was opened and when its user last proved who they are; absent for a key. */
  readonly proof?: SessionProof;
};

export const SESSION_METHODS = ['key', 'password', 'passkey', 'sso'] as const;
export type SessionMethod = (typeof SESSION_METHODS)[number];

export type SessionProof = {
  readonly method: SessionMethod;
  /** The proofs that the user gave, such as `password` and `totp`. */
  readonly factors: readonly string[];
  readonly provedAtMs: number;
};

/** Proofs that count as a second factor. `mfa`: the identity provider says that it asked for two factors. */
const SECOND_FACTORS: readonly string[] = ['passkey', 'totp', 'recovery', 'mfa'];

export const hasSecondFactor = ({ factors }: Pick<SessionProof, 'factors'>): boolean =>
  factors.some((factor) => SECOND_FACTORS.includes(factor));

export const callerOf = (principal: Principal): Caller | null =>
  principal.kind === 'key' || principal.kind === 'session' ? (principal as Caller) : null;

/** The plan name of anonymous callers (decisions 1.5). */
export const ANONYMOUS_PLAN = 'ANONYMOUS';
