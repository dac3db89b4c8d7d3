import { z } from 'zod';
import { Finding } from '#capabilities/cve-watch/index.ts';
import { ALERT_STATUSES, ALERT_TYPES, SEVERITIES } from '#domain/alerts/index.ts';
import { atMost, isOneLine } from '#platform/request-fields.ts';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 50;
const OFFSET_MAX = 1_000_000;
const LIST_MAX = 300;
const SEARCH_MIN = 3;
const SEARCH_MAX = 200;
const DAYS_MIN = 7;
const DAYS_MAX = 90;
const DAYS_DEFAULT = 30;

const time = z.iso.datetime().max(40);
const Severity = z.enum(SEVERITIES);
const Status = z.enum(ALERT_STATUSES);
const Type = z.enum(ALERT_TYPES);

export const Alert = z
  .object({
    id: z.string().max(64),
    type: Type,
    severity: Severity,
    status: Status,
    entity: z.object({
      type: z
        .string()
        .max(20)
        .describe(
          'ip, domain, url, email or cve; product for a possible finding; watchlist or perimeter for a summary.',
        ),
      value: z.string().max(2_048),
    }),
    title: z.string().max(300),
    description: z.string().max(2_000),
    reason: z.string().max(1_000).describe('Why it came, as a sentence with its facts. Beyond the contract.'),
    source: z.string().max(40).describe('What raised it: monitoring or cve-watch.'),
    confidence: z.int().min(0).max(100),
    data: z.record(z.string().max(100), z.unknown()).describe('The facts of its type.'),
    createdAt: time,
    updatedAt: time.describe('The last activity: raised again, or decided about.'),
    acknowledgedAt: time.nullable(),
    resolvedAt: time.nullable(),
    occurrences: z.int().min(1).describe('How often it was raised while it was not resolved.'),
    monitorId: z
      .string()
      .max(64)
      .optional()
      .describe('The watched item that it is about. Beyond the contract.'),
    findingId: z.string().max(64).optional(),
    cveId: z.string().max(32).optional(),
    priority: z.enum(['P1', 'P2', 'P3']).optional(),
  })
  .meta({ id: 'Alert' });
export type Alert = z.infer<typeof Alert>;

/** A comma-separated list of words from `allowed`, in upper or lower case. */
const listOf = <T extends string>(allowed: readonly T[]) =>
  z
    .string()
    .max(LIST_MAX)
    .transform((text, context): readonly T[] => {
      const found: T[] = [];
      for (const word of text.split(',').map((each) => each.trim().toLowerCase())) {
        const known = allowed.find((each) => each.toLowerCase() === word);
        if (known === undefined) {
          context.addIssue({
            code: 'custom',
            message: `Send one or more of ${allowed.join(', ')}, with commas.`,
          });
          return z.NEVER;
        }
        found.push(known);
      }
      return found;
    })
    .optional();

export const AlertQuery = z.object({
  limit: atMost(LIMIT_MAX, LIMIT_DEFAULT).describe('At most 50.'),
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .transform((value) => Math.min(value, OFFSET_MAX)),
  status: listOf(ALERT_STATUSES)
    .describe('With commas; OPEN and ACKNOWLEDGED when absent.')
    .meta({ examples: ['OPEN,ACKNOWLEDGED'] }),
  severity: listOf(SEVERITIES)
    .describe('With commas; all when absent.')
    .meta({ examples: ['critical,high'] }),
  eventType: listOf(ALERT_TYPES)
    .describe('With commas; all when absent.')
    .meta({ examples: ['cve.finding'] }),
  entityType: z
    .string()
    .trim()
    .toLowerCase()
    .max(20)
    .refine(isOneLine, 'Send a word such as domain.')
    .optional()
    .meta({ examples: ['domain'] }),
  search: z
    .string()
    .trim()
    .min(SEARCH_MIN, `Send at least ${SEARCH_MIN} characters.`)
    .max(SEARCH_MAX)
    .refine(isOneLine, 'It must not hold control characters.')
    .optional()
    .describe('Part of the value or the title. Beyond 10,000 matches `total` is 10,000.')
    .meta({ examples: ['example.com'] }),
});
export type AlertQuery = z.output<typeof AlertQuery>;

export const AlertList = z.object({
  alerts: z.array(Alert).max(LIMIT_MAX).describe('Latest activity first.'),
  total: z.int().min(0),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
});
export type AlertList = z.infer<typeof AlertList>;

export const AlertParams = z.object({
  id: z
    .string()
    .max(64)
    .describe('The id of an alert.')
    .meta({ examples: ['alrt_01M7KJJ2FN2YGH69WAERMZSVPS'] }),
});
export const AlertBody = z.object({
  status: z
    .string()
    .max(20)
    .trim()
    .toUpperCase()
    .pipe(z.enum(ALERT_STATUSES, { error: `Send one of ${ALERT_STATUSES.join(', ')}.` })),
});
export type AlertBody = z.output<typeof AlertBody>;
export const AlertReply = z.object({
  alert: Alert,
  finding: Finding.optional().describe('Of an alert about a finding: how the finding stands now.'),
});
export type AlertReply = z.infer<typeof AlertReply>;

const hours = z.number().nullable().describe('Within one percent; null where nothing was counted.');
const counts = <K extends string>(keys: readonly K[]) =>
  z.object(Object.fromEntries(keys.map((key) => [key, z.int().min(0)])) as Record<K, z.ZodInt>);

export const AlertMetrics = z.object({
  open: z.int().min(0),
  acknowledged: z.int().min(0),
  resolved30d: z.int().min(0),
  bySeverity: counts(SEVERITIES).describe('Of what is not resolved.'),
  byType: counts(ALERT_TYPES).describe('Of what is not resolved.'),
  staleOpen: z.int().min(0).describe('Open without any activity for 72 hours.'),
  oldestOpenAt: time.nullable(),
  mttaHours: z.object({ p50: hours, p90: hours }).describe('Until acknowledged, of the last 30 days.'),
  mttrHours: z
    .object({ p50: hours, p90: hours })
    .describe('Hours open or acknowledged until the resolution that stands, of the last 30 days.'),
});
export type AlertMetrics = z.infer<typeof AlertMetrics>;

const days = z.coerce.number().int().default(DAYS_DEFAULT);
/** A number outside the range becomes the nearest limit instead of an error. */
const clamped = days.transform((value) => Math.min(Math.max(value, DAYS_MIN), DAYS_MAX));
export const TrendsQuery = z.object({
  days: clamped.describe('7 to 90; outside of it, the nearest of both.'),
});
export const FunnelQuery = z.object({
  days: days.transform((value) => Math.min(Math.max(value, 1), DAYS_MAX)).describe('1 to 90.'),
});

export const AlertFunnel = z.object({
  days: z.int(),
  stages: z.array(
    z.object({
      stage: z.enum(['detected', 'opened', 'acknowledged', 'resolved']),
      count: z.int().min(0),
      rate: z.number().min(0).describe('Share of what was opened.'),
    }),
  ),
});
export type AlertFunnel = z.infer<typeof AlertFunnel>;

export const AlertTrends = z.object({
  success: z.literal(true),
  data: z.object({
    days: z.int(),
    series: z
      .array(z.object({ day: z.string().max(10), opened: z.int().min(0), resolved: z.int().min(0) }))
      .max(DAYS_MAX)
      .describe('One for each day in UTC, oldest first.'),
    mttr: z.object({ p50Hours: hours, p90Hours: hours, p95Hours: hours, sampleSize: z.int().min(0) }),
  }),
  timestamp: time,
});
export type AlertTrends = z.infer<typeof AlertTrends>;
