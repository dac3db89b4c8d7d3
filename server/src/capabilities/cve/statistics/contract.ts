import { z } from 'zod';
import {
  cut,
  EXPLOITATIONS,
  exploitation,
  flag,
  LIST_DEFAULT,
  LIST_MAX,
  loadedFields,
  SEVERITIES,
  share,
} from '../contract.ts';

const count = z.int().min(0);
const figure = count.nullable();

export const EpssQuery = z.object({
  limit: cut(LIST_MAX, LIST_DEFAULT),
  minEpss: share.default(0),
  kev: flag.optional().describe('`true`: only CVEs of the KEV catalogue.'),
  exploit: exploitation.optional(),
});
export type EpssQuery = z.infer<typeof EpssQuery>;

/** Public figures of EPSS (contract 4.1, decisions 3.8). The filters apply to all three parts. */
export const EpssStatistics = z
  .object({
    distribution: z
      .array(z.object({ bucket: z.string(), min: z.number(), max: z.number(), count }))
      .max(10)
      .describe('Ten buckets; none while no scores are loaded.'),
    top: z
      .array(
        z.object({
          id: z.string(),
          epssScore: z.number(),
          epssPercentile: z.number().nullable(),
          cvssScore: z.number().nullable(),
          severity: z.enum(SEVERITIES),
          isKev: z.boolean(),
          exploitation: z.enum(EXPLOITATIONS).nullable(),
          published: z.iso.date().nullable(),
        }),
      )
      .max(LIST_MAX),
    summary: z.object({
      total: figure.describe('CVEs that have a score.'),
      matching: figure,
      mean: z.number().nullable(),
      median: z.number().nullable(),
      p95: z.number().nullable(),
      above10pct: figure,
      above50pct: figure,
      kevCount: figure,
      activeExploitCount: figure,
      modelDate: z.iso.date().nullable(),
    }),
    ...loadedFields,
  })
  .meta({ id: 'EpssStatistics' });
export type EpssStatistics = z.infer<typeof EpssStatistics>;

export const BUCKETS = ['day', 'week', 'month'] as const;
export type Bucket = (typeof BUCKETS)[number];
/** Longest series in days, per bucket width; a request for more days is cut to it. */
export const SERIES_DAYS_MAX: Readonly<Record<Bucket, number>> = { day: 365, week: 730, month: 1_825 };

export const TimeseriesQuery = z.object({
  days: cut(1_825, 30),
  bucket: z.enum(BUCKETS, { error: `Send one of ${BUCKETS.join(', ')}.` }).default('day'),
});
export type TimeseriesQuery = z.infer<typeof TimeseriesQuery>;

export const Timeseries = z
  .array(
    z.object({
      day: z.iso.date().describe('The first day of the bucket.'),
      critical: count,
      high: count,
      medium: count,
      low: count,
      unscored: count.describe('Without a severity in any source. Beyond the contract.'),
      kev: count.describe('Of these, in the KEV catalogue.'),
      active_exploit: count.describe('Of these, with reported exploitation.'),
    }),
  )
  .max(366)
  .meta({ id: 'CveTimeseries' });
export type Timeseries = z.infer<typeof Timeseries>;
