import { z } from 'zod';
import { BRIEF_LEVELS } from '#domain/brief/index.ts';

const count = z.int().min(0);
const href = z.string().describe('A path on the host of the dashboard.');

export const HIGHLIGHTS_MAX = 5;

export const RiskBrief = z
  .object({
    id: z.string(),
    organizationId: z.string().nullable(),
    periodStart: z.string().describe('A Monday, 00:00 UTC.'),
    periodEnd: z.string().describe('The Monday after it.'),
    generatedAt: z.string(),
    score: z.int().min(0).max(100),
    scoreParts: z
      .array(z.object({ name: z.string(), count, points: count, detail: z.string(), href }))
      .describe('Their points add up to the score. Beyond the contract.'),
    riskLevel: z.enum(BRIEF_LEVELS).describe('low 0-34, medium 35-59, high 60-84, critical 85-100.'),
    headline: z.string(),
    highlights: z
      .array(
        z.object({
          title: z.string(),
          detail: z.string(),
          severity: z.enum(['low', 'medium', 'high', 'critical']),
          href,
        }),
      )
      .max(HIGHLIGHTS_MAX)
      .describe('The most urgent things when the brief was made.'),
    metrics: z.object({
      alertsOpened: count,
      alertsResolved: count,
      newFindings: count,
      kevFindings: count.describe('Open when the brief was made.'),
      watchedChanges: count.describe('Changes of watched values.'),
    }),
    links: z
      .record(z.string(), href)
      .describe('Where each figure of `metrics` is listed. Beyond the contract.'),
    recommendations: z.array(z.string()),
  })
  .meta({ id: 'RiskBrief' });
export type RiskBrief = z.infer<typeof RiskBrief>;

/** The brief in the wrapper `success`, `data`, `timestamp` of decisions 1.8. */
export const RiskBriefReply = z
  .object({
    success: z.literal(true),
    data: RiskBrief.nullable(),
    timestamp: z.string(),
    message: z
      .string()
      .max(300)
      .optional()
      .describe('Why there is no brief, and when the next one is written. Beyond the contract.'),
  })
  .meta({ id: 'RiskBriefReply' });
export type RiskBriefReply = z.infer<typeof RiskBriefReply>;
