import { z } from 'zod';
import { RISK_LEVELS } from '#domain/scoring/index.ts';

export const DAYS_MAX = 365;
const DAYS_DEFAULT = 30;
export const ENDPOINTS_MAX = 500;

export const AnalyticsQuery = z.object({
  days: z.coerce
    .number()
    .int()
    .min(1)
    .default(DAYS_DEFAULT)
    // A number above the maximum is read as the maximum, like every number of this kind (decisions 1.6).
    .transform((days) => Math.min(days, DAYS_MAX))
    .describe('How many days (UTC), today included; more than 365 are read as 365.'),
});
export type AnalyticsQuery = z.output<typeof AnalyticsQuery>;

const day = z.iso.date();
const count = z.int().min(0);

/** Used and allowed units of a month. */
export const MeterUse = z.object({ used: count, limit: count }).meta({ id: 'MeterUse' });

export const UsageAnalytics = z
  .object({
    period: z.object({ from: day, to: day }).describe('Both days included.'),
    requests: z.object({
      total: count,
      byDay: z
        .array(z.object({ day, count }))
        .max(DAYS_MAX)
        .describe('Every day of the period, oldest first.'),
      byEndpoint: z
        .array(z.object({ endpoint: z.string().max(200), count }))
        .max(ENDPOINTS_MAX)
        .describe('Method and path with its parameters unfilled, most used first.'),
      byStatus: z
        .object({ '1xx': count, '2xx': count, '3xx': count, '4xx': count, '5xx': count })
        .partial()
        .describe('By the first digit of the status; classes without an answer are absent.'),
    }),
    scans: MeterUse.describe('Of this month.'),
    monthly: MeterUse.describe('Checks of this month.'),
    verdicts: z
      .partialRecord(z.enum(RISK_LEVELS), count)
      .describe(
        'Verdicts that answers had, by level; a batch has one for each row. Mail scans and the gate count as critical (malicious, block), medium (suspicious, warn), safe (clean) and inconclusive (the rest). Checks at basic have no level and are not counted here. Levels without a verdict are absent.',
      ),
  })
  .meta({ id: 'UsageAnalytics' });
export type UsageAnalytics = z.output<typeof UsageAnalytics>;
