import { z } from 'zod';
import { FACETS, WATCH_STATUSES } from '#domain/monitoring/index.ts';
import { atMost, isOneLine } from '#platform/request-fields.ts';
import { ENTITY_TYPES } from './target.ts';

const VALUE_MAX = 2_048;
const LABEL_MAX = 200;
const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 500;
const PAGE_MAX = 1_000_000;

const time = z.iso.datetime().max(40);
const Type = z.enum(ENTITY_TYPES);

const Lookup = z
  .enum(['watched', 'off', 'inapplicable'])
  .describe('`off`: this service does not make such lookups, so a change of it is not seen.');

export const WatchItem = z
  .object({
    id: z.string().max(64),
    entityType: Type,
    value: z.string().max(VALUE_MAX),
    label: z.string().max(LABEL_MAX).nullable(),
    notify: z.boolean().describe('False: alerts come without letters.'),
    status: z.enum(WATCH_STATUSES),
    riskScore: z.int().min(0).max(100).nullable(),
    lastCheckedAt: time.nullable(),
    nextCheckAt: time.describe('Changes of lists are seen at once; this is when the rest is checked again.'),
    lastChangeAt: time.nullable(),
    createdAt: time,
    lookups: z
      .object(
        Object.fromEntries(FACETS.map((facet) => [facet, Lookup])) as Record<
          (typeof FACETS)[number],
          typeof Lookup
        >,
      )
      .describe('What is watched beside lists. Beyond the contract.'),
  })
  .meta({ id: 'WatchItem' });
export type WatchItem = z.infer<typeof WatchItem>;

export const WatchQuery = z.object({
  page: atMost(PAGE_MAX, 1).describe('Beyond the contract.'),
  limit: atMost(LIMIT_MAX, LIMIT_DEFAULT).describe('At most 500. Beyond the contract.'),
});
export type WatchQuery = z.output<typeof WatchQuery>;

export const WatchList = z.object({
  items: z.array(WatchItem).max(LIMIT_MAX).describe('Newest first.'),
  total: z.int().min(0),
  limit: z.int().min(0).describe('How many the plan allows.'),
});
export type WatchList = z.infer<typeof WatchList>;

export const WatchBody = z.object({
  entityType: Type.optional().describe(
    'Read from the value when absent; another type than that of the value is refused.',
  ),
  value: z
    .string()
    .trim()
    .min(1)
    .max(VALUE_MAX)
    .refine(isOneLine, 'It must not hold control characters.')
    .describe('An address, a domain, a URL or an e-mail address.')
    .meta({ examples: ['example.com'] }),
  label: z
    .string()
    .trim()
    .min(1)
    .max(LABEL_MAX)
    .refine(isOneLine, 'It must not hold control characters.')
    .nullish(),
  notify: z.boolean().default(true),
});
export type WatchBody = z.output<typeof WatchBody>;

const id = z
  .string()
  .max(64)
  .describe('The id of a watched item.')
  .meta({ examples: ['mon_01M7KJJ2FN2YGH69WAERMZSVPS'] });
export const NotifyBody = z.object({
  id,
  notify: z.boolean().optional().describe('The other of both when absent.'),
});
export type NotifyBody = z.output<typeof NotifyBody>;
export const NotifyReply = z.object({ item: WatchItem });

export const UnwatchBody = z
  .object({
    id: id.optional(),
    entityType: Type.optional(),
    value: z.string().trim().min(1).max(VALUE_MAX).optional(),
  })
  .refine(
    (body) => body.id !== undefined || body.value !== undefined,
    'Send `id`, or `entityType` and `value`.',
  );
export type UnwatchBody = z.output<typeof UnwatchBody>;
export const UnwatchReply = z.object({ removed: z.literal(true) });

const counts = <K extends string>(keys: readonly K[]) =>
  z.object(Object.fromEntries(keys.map((key) => [key, z.int().min(0)])) as Record<K, z.ZodInt>);
export const WatchMetrics = z.object({
  watched: z.int().min(0),
  limit: z.int().min(0),
  byStatus: counts(WATCH_STATUSES),
  byType: counts(ENTITY_TYPES),
  changes24h: z.int().min(0).describe('Items that changed in the last 24 hours.'),
  alertsOpen: z.int().min(0).describe('Open alerts about what is watched.'),
});
export type WatchMetrics = z.infer<typeof WatchMetrics>;
