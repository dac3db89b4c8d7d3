/** The plans of contract 8.1 and 8.2. Operators override single limits in the record of a subscription, never here. */
export const PLANS = ['FREE', 'BASIC', 'PRO', 'ENTERPRISE'] as const;
export type Plan = (typeof PLANS)[number];
export const BILLINGS = ['MONTHLY', 'YEARLY'] as const;
export type Billing = (typeof BILLINGS)[number];
export const SUBSCRIPTION_STATUSES = ['active', 'trialing', 'past_due', 'suspended', 'canceled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export type Limits = {
  readonly burstPerMinute: number;
  readonly checksPerMonth: number;
  readonly scansPerMonth: number;
  readonly bulkEntities: number;
  readonly orgIndicatorsPerDay: number;
  /** The maximum of threat streams open at once (decisions 1.4). */
  readonly streams: number;
  /** The maxima of CVE watch: perimeters, and components in all of them (O24). */
  readonly watchPerimeters: number;
  readonly watchComponents: number;
  /** The maximum of webhook endpoints (decisions 3.12). */
  readonly webhooks: number;
  /** The maximum of watched values (decisions 3.10). */
  readonly watchItems: number;
  /** The maxima of cases, and of bytes of evidence in all of them. */
  readonly cases: number;
  readonly caseEvidenceBytes: number;
  /** The maximum of bytes of everything that the account stores, evidence included (reliability 5.5). */
  readonly storageBytes: number;
};

const MIB = 1_048_576;
const GIB = 1_024 * MIB;

export const PLAN_LIMITS: Readonly<Record<Plan, Limits>> = {
  FREE: {
    burstPerMinute: 60,
    checksPerMonth: 500,
    scansPerMonth: 1_000,
    bulkEntities: 10,
    orgIndicatorsPerDay: 0,
    streams: 0,
    watchPerimeters: 1,
    watchComponents: 200,
    webhooks: 0,
    watchItems: 3,
    cases: 1_000,
    caseEvidenceBytes: 64 * MIB,
    storageBytes: 100 * MIB,
  },
  BASIC: {
    // The published limit is one call a minute (C1); scans and sessions are limited separately.
    burstPerMinute: 1,
    checksPerMonth: 2_000,
    scansPerMonth: 25_000,
    bulkEntities: 50,
    orgIndicatorsPerDay: 0,
    streams: 0,
    watchPerimeters: 5,
    watchComponents: 5_000,
    webhooks: 3,
    watchItems: 25,
    cases: 10_000,
    caseEvidenceBytes: GIB,
    storageBytes: 2 * GIB,
  },
  PRO: {
    burstPerMinute: 60,
    checksPerMonth: 10_000,
    scansPerMonth: 250_000,
    bulkEntities: 100,
    orgIndicatorsPerDay: 200,
    streams: 2,
    watchPerimeters: 25,
    watchComponents: 50_000,
    webhooks: 10,
    watchItems: 250,
    cases: 100_000,
    caseEvidenceBytes: 10 * GIB,
    storageBytes: 20 * GIB,
  },
  ENTERPRISE: {
    burstPerMinute: 5_000,
    checksPerMonth: 1_000_000,
    scansPerMonth: 1_000_000,
    bulkEntities: 500,
    orgIndicatorsPerDay: 100_000,
    streams: 10,
    watchPerimeters: 500,
    watchComponents: 1_000_000,
    webhooks: 50,
    watchItems: 5_000,
    cases: 100_000,
    caseEvidenceBytes: 100 * GIB,
    storageBytes: 200 * GIB,
  },
};

/** Dashboard sessions are not held to the plan's burst, and scans have a separate bucket (decisions 1.4). */
export const SESSION_BURST_PER_MINUTE = 300;
export const SCAN_BURST_PER_MINUTE = 600;

/** The limits of the plan with the subscription's overrides; a suspended subscription falls to FREE (decisions 3.17). */
export function limitsOf(plan: Plan, status: SubscriptionStatus, overrides: Partial<Limits> | null): Limits {
  if (status === 'suspended' || status === 'canceled')
    return {
      ...PLAN_LIMITS[plan],
      checksPerMonth: PLAN_LIMITS.FREE.checksPerMonth,
      scansPerMonth: PLAN_LIMITS.FREE.scansPerMonth,
    };
  return { ...PLAN_LIMITS[plan], ...overrides };
}

export const isPlan = (text: string): text is Plan => (PLANS as readonly string[]).includes(text);

export const planReaches = (held: Plan, needed: string): boolean =>
  needed === 'any' || (isPlan(needed) && PLANS.indexOf(held) >= PLANS.indexOf(needed));
