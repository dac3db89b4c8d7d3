import { z } from 'zod';
import { MeterUse } from '#capabilities/usage/index.ts';
import { BILLINGS, PLANS, SUBSCRIPTION_STATUSES } from '#domain/plans/plans.ts';
import { PAID_PLANS } from './provider.ts';

const count = z.int().min(0);
const timestamp = z.iso.datetime();
const plan = z.enum(PLANS);
const resetsAt = timestamp.describe('The first moment of the next month, UTC.');

const PlanLimits = z
  .object({
    burstPerMinute: count.describe(
      'Calls a minute with one key. Sessions and scans have minutes of their own.',
    ),
    checksPerMonth: count,
    scansPerMonth: count.describe('Mail scans and the gate.'),
    bulkEntities: count.describe('In one request.'),
    orgIndicatorsPerDay: count.describe('New, restored or changed ones of an organization.'),
    streams: count.describe('Threat streams open at once.'),
    watchPerimeters: count.describe('Perimeters of CVE watch.'),
    watchComponents: count.describe('Components in all perimeters.'),
    webhooks: count.describe('Endpoints of webhooks.'),
    watchItems: count.describe('Values of monitoring.'),
    cases: count,
    caseEvidenceBytes: count.describe('Bytes of evidence in all cases.'),
    storageBytes: count.describe('Bytes of everything that the account stores, evidence included.'),
  })
  .meta({ id: 'PlanLimits' });

export const PlanTable = z
  .object({
    plans: z
      .array(
        z.object({
          plan,
          billings: z.array(z.enum(BILLINGS)).max(BILLINGS.length).describe('Empty: it costs nothing.'),
          limits: PlanLimits,
        }),
      )
      .max(PLANS.length),
  })
  .meta({ id: 'PlanTable' });
export type PlanTable = z.output<typeof PlanTable>;

export const Subscription = z
  .object({
    plan,
    billing: z
      .enum(BILLINGS)
      .nullable()
      .describe('Null: nothing is billed, or an operator assigned the plan.'),
    status: z
      .enum(SUBSCRIPTION_STATUSES)
      .describe('While suspended or canceled, checks and scans have the monthly limits of FREE.'),
    limits: PlanLimits.describe(
      'As they hold now: those of the plan, with the figures agreed for this account.',
    ),
    usage: z.object({ checks: count, scans: count, resetsAt }).describe('Of this month.'),
    periodEnd: timestamp
      .nullable()
      .describe(
        'The end of what is paid for. Null where nothing is: on FREE, or when an operator assigned the plan.',
      ),
  })
  .meta({ id: 'Subscription' });
export type Subscription = z.output<typeof Subscription>;

const MeterMonth = MeterUse.extend({ resetsAt }).meta({ id: 'MeterMonth' });

export const SubscriptionMetrics = z
  .object({
    plan,
    monthly: MeterMonth.describe('Checks.'),
    scans: MeterMonth,
    burst: z.object({ limit: count }).describe('Calls a minute with one key.'),
    indicators: z
      .object({ today: count, limit: count })
      .describe('Own indicators of an organization since 00:00 UTC.'),
    watches: z.object({ used: count, limit: count }).describe('Values of monitoring.'),
    storage: z
      .object({
        used: count,
        limit: count,
        byKind: z
          .object({
            report: count,
            case: count.describe('With their evidence.'),
            inventory: count.describe('Perimeters and components of CVE watch.'),
            webhook: count,
            watch: count,
            indicator: count.describe('Own indicators of an organization.'),
            reply: count.describe('What is kept of requests with an Idempotency-Key, for a day.'),
          })
          .describe('What takes the space.'),
      })
      .describe(
        'Bytes that the account stores, as they were sent and with a fixed figure for each row. Beyond the contract.',
      ),
  })
  .meta({ id: 'SubscriptionMetrics' });
export type SubscriptionMetrics = z.output<typeof SubscriptionMetrics>;

export const CheckoutBody = z
  .object({ plan: z.enum(PAID_PLANS), billing: z.enum(BILLINGS) })
  .meta({ id: 'CheckoutBody' });

export const BillingPage = z
  .object({ url: z.url().max(2_048).describe('A page of the billing provider. Open it in the browser.') })
  .meta({ id: 'BillingPage' });
export type BillingPage = z.output<typeof BillingPage>;

/** For the API description only: the route reads the body as bytes, because the signature covers the bytes. */
export const WebhookBody = z
  .object({ id: z.string().max(255), type: z.string().max(100) })
  .describe('An event of the payment provider, as it sends it.')
  .meta({ id: 'BillingEvent' });

export const Received = z.object({ received: z.literal(true) }).meta({ id: 'BillingEventReceived' });
