import { z } from 'zod';
import {
  EnrichmentLevel,
  Evidence,
  LookalikeReply,
  OrganizationWord,
  Service,
} from '#capabilities/check/index.ts';
import { BILLINGS, PLAN_LIMITS, PLANS, type Plan } from '#domain/plans/plans.ts';
import { RISK_LEVELS } from '#domain/scoring/index.ts';
import { type Batch, readBatch } from './read-batch.ts';

/** Longer entities are refused with 400 (G19). */
const ENTITY_CHARS_MAX = 2_048;
const COUNTRY = /^[A-Za-z]{2}$/;

/**
 * Only described here and read by hand below: a schema reports every bad item, and a body of 1 MiB may have
 * half a million. The plan of the caller limits the number (G19), and the refusal names the plan.
 */
const Entities = z
  .array(z.unknown())
  .min(1, 'Send at least one entity.')
  .meta({
    boundedBy: 'the plan, and the size of the body',
    description:
      'IP addresses, domains, URLs, file hashes, e-mail addresses and phone numbers, as many as the plan allows. Duplicates are found trimmed and in lower case; the first spelling is judged.',
    items: { type: 'string', maxLength: ENTITY_CHARS_MAX },
    examples: [['185.220.101.1', 'example.com']],
  });

const BulkInput = z
  .object({
    entities: Entities,
    enrichment: EnrichmentLevel.default('standard').describe(
      '`basic` leaves out the evidence of each row; the other levels carry it.',
    ),
    format: z
      .enum(['json', 'csv'])
      .default('json')
      .describe('`csv`: one line a row, safe to open in a spreadsheet.'),
    country: z
      .string()
      .regex(COUNTRY, 'Send two letters such as DE.')
      .optional()
      .describe('ISO 3166-1 country of phone numbers written without one.'),
  })
  .meta({ id: 'BulkCheckBody' });

export type BulkRequest = {
  readonly submitted: number;
  readonly enrichment: EnrichmentLevel;
  readonly format: 'json' | 'csv';
  /** Parsed once on first use: the meter needs the number, the check needs the indicators. */
  readonly batch: () => Batch;
};

export const BulkBody = BulkInput.transform((input, context): BulkRequest => {
  const { entities, enrichment, format, country } = input;
  const problem = firstProblem(entities);
  if (problem !== null) {
    context.addIssue({ code: 'custom', path: ['entities', problem.index], message: problem.message });
    return z.NEVER;
  }
  let batch: Batch | null = null;
  return {
    submitted: entities.length,
    enrichment,
    format,
    batch: () => {
      batch ??= readBatch(entities as readonly string[], country ?? null);
      return batch;
    },
  };
});

function firstProblem(entities: readonly unknown[]): { index: number; message: string } | null {
  for (const [index, entity] of entities.entries()) {
    if (typeof entity !== 'string')
      return {
        index,
        message: `Send text, not ${entity === null ? 'null' : `a value of type ${typeof entity}`}.`,
      };
    if (entity.length > ENTITY_CHARS_MAX)
      return { index, message: `Send at most ${ENTITY_CHARS_MAX} characters, not ${entity.length}.` };
  }
  return null;
}

/**
 * A row as in contract 2.7 with G17 and G18. Optional fields are absent, never null, except where the contract says so.
 */
const BulkRow = z
  .object({
    entity: z.string().describe('The first spelling that was sent, trimmed.'),
    type: z.enum(['ip', 'domain', 'url', 'hash', 'email', 'phone', 'unknown']),
    isMalicious: z
      .boolean()
      .describe(
        'As `malicious` of /check: set by scanner-type evidence only; of an e-mail address or a phone number, as on their own routes. Beside an `error` it says nothing.',
      ),
    confidence: z.int().min(0).max(100).optional(),
    sources: z.int().min(0).describe('How many sources list it as a threat now: blocklistHits of /check.'),
    categories: z.array(z.string()),
    riskScore: z.int().min(0).max(100).optional().describe('Absent for an unknown hash.'),
    riskLevel: z.enum(RISK_LEVELS).optional().describe('Absent for an unknown hash.'),
    word: z.string().optional().describe('What the level is called; riskScore.word of /check.'),
    recommendedAction: Evidence.shape.recommendedAction.optional(),
    analystStatus: z.string().optional(),
    observedAt: z.iso.datetime().optional(),
    evidence: Evidence.nullable().describe('As in /check; null at `basic` and beside an `error`.'),
    infrastructure: z
      .object({ attributes: z.array(z.string()) })
      .optional()
      .describe('What the entity is, where a listing says so.'),
    service: Service.optional().describe('As in /check.'),
    lookalike: LookalikeReply.optional().describe('As in /check.'),
    organization: OrganizationWord.optional().describe('As in /check. An extension.'),
    lookupStatus: z.enum(['known', 'unknown']).optional().describe('File hashes only.'),
    malwareFamily: z.string().optional().describe('As in /check.'),
    malwareFamilies: z.array(z.string()).optional().describe('As in /check.'),
    asn: z
      .int()
      .min(0)
      .optional()
      .describe('The network of an address, or of a URL on one. From local data.'),
    asnName: z.string().optional().describe('What that network is called.'),
    countryCode: z.string().optional().describe('As in `geo` of /check, of an address or of a URL on one.'),
    firstSeen: z.iso.datetime().optional().describe('As in `dataTrust` of /check; absent where null there.'),
    lastSeen: z.iso.datetime().optional().describe('As in `dataTrust` of /check; absent where null there.'),
    error: z.string().nullable().describe('Why this entity was not judged. Such a row costs nothing.'),
  })
  .meta({ id: 'BulkRow' });
export type BulkRow = z.infer<typeof BulkRow>;

export const BulkReply = z
  .object({
    success: z.literal(true),
    total: z.int().min(0).describe('Entities submitted.'),
    processed: z.int().min(0).describe('Entities judged: what the batch costs.'),
    results: z.array(BulkRow),
    errors: z.array(z.string()).optional().describe('Sentences about skipped entries.'),
    processingTimeMs: z.int().min(0),
  })
  .meta({ id: 'BulkCheckReply' });
export type BulkReply = z.infer<typeof BulkReply>;

/** What the refusal of a batch over the cap has beside the fields of an error (G19). */
export const BulkRefusal = z.object({
  success: z
    .literal(false)
    .optional()
    .describe('With a batch over the cap of the plan, as are the fields below.'),
  total: z.int().min(0).optional().describe('Entities submitted.'),
  processed: z.literal(0).optional(),
  results: z.array(BulkRow).max(0).optional().describe('Empty.'),
  errors: z.array(z.string()).optional().describe('The sentence of `message`.'),
});

/** The cap of each subscription, by the names of the contract (G57). */
const SUBSCRIPTIONS = PLANS.flatMap((plan) =>
  plan === 'FREE' ? [plan] : BILLINGS.map((billing) => `${plan}_${billing}` as const),
);
export const ALL_PLANS = Object.fromEntries(
  SUBSCRIPTIONS.map((name) => [name, PLAN_LIMITS[planOf(name)].bulkEntities]),
) as Record<(typeof SUBSCRIPTIONS)[number], number>;

export const BulkLimits = z
  .object({
    endpoint: z.string(),
    method: z.literal('POST'),
    description: z.string(),
    authentication: z.string(),
    limits: z.object({
      currentPlan: z.string().describe('Plan and billing, or the plan alone where the billing is not known.'),
      maxEntitiesPerRequest: z.int().min(0).describe('How many entities this caller may send at once.'),
      allPlans: z.record(z.enum(SUBSCRIPTIONS), z.int()),
    }),
  })
  .meta({ id: 'BulkLimits' });
export type BulkLimits = z.infer<typeof BulkLimits>;

function planOf(name: (typeof SUBSCRIPTIONS)[number]): Plan {
  return PLANS.find((plan) => name.startsWith(plan)) ?? 'FREE';
}
