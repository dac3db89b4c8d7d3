import { z } from 'zod';
import { RISK_LEVELS } from '#domain/scoring/index.ts';
import { type Filter, SEVERITIES, TYPES } from './filter.ts';

const TEXT_MAX = 2_048;
const CATEGORIES_MAX = 32;

const words = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');

const typesText = z
  .string()
  .max(TEXT_MAX)
  .refine((text) => words(text).every((word) => (TYPES as readonly string[]).includes(word)), {
    error: `Send one or more of ${TYPES.join(', ')}, with commas between them.`,
  })
  .optional()
  .describe(`Which events, with commas: ${TYPES.join(', ')}. Default: all.`)
  .meta({ examples: ['threat.new,reputation.changed'] });

/** `query` is ignored (contract 6.2), as every unknown parameter is. */
export const StreamQuery = z
  .object({
    types: typesText,
    severity: z
      .enum(SEVERITIES)
      .optional()
      .describe('The least severe that is sent; low by default. The severity of an event is its level.'),
    categories: z
      .string()
      .max(TEXT_MAX)
      .refine((text) => words(text).length <= CATEGORIES_MAX, {
        error: `Send ${CATEGORIES_MAX} categories or fewer.`,
      })
      .optional()
      .describe(
        'Events of any of these categories, with commas, in either case; such as phishing,c2. Default: all.',
      )
      .meta({ examples: ['phishing,c2'] }),
  })
  .transform(
    ({ types = '', severity = 'low', categories = '' }): Filter => ({
      types: words(types),
      severity: SEVERITIES.indexOf(severity),
      categories: words(categories),
    }),
  );

const time = z.iso.datetime().max(40);
const severity = z.enum(SEVERITIES).describe('The level; low for safe and inconclusive.');
const categories = z
  .array(z.string().max(64))
  .max(64)
  .describe('What the sources that list it call it, sorted.');
const level = z.enum(RISK_LEVELS);
const score = z.int().min(0).max(100);
const sources = z.object({
  count: z.int().min(0).describe('Sources that accuse it now.'),
  names: z.array(z.string().max(120)).max(20).describe('The first twenty of them.'),
});

/** The fields that the payloads of all outbox events have. */
const common = {
  severity,
  categories,
  indicator: z.object({
    type: z.enum(['ip', 'cidr', 'domain', 'url', 'hash', 'email']),
    value: z.string().max(2_048),
  }),
  score: score.nullable(),
  level: level.nullable(),
  sources,
  firstSeen: time
    .nullable()
    .describe('Since when a source is known to list it; null where nothing dates it.'),
  lastSeen: time.nullable().describe('When a source last saw it; null where none dates sightings.'),
};

export const NewThreat = z.object(common);
export const UpdatedThreat = z.object({
  ...common,
  changed: z.array(z.enum(['sources', 'categories', 'score'])).max(3),
});
export const ChangedReputation = z.object({
  ...common,
  previousScore: score,
  previousLevel: level,
  reason: z.string().max(500).describe('A sentence: which lists it is on now, or no longer.'),
});
export const PublishedIoc = z.object({
  ...common,
  collection: z.string().max(64).describe('The TAXII collection that holds it.'),
  stixId: z.string().max(64),
});
export const AlertOfWatchlist = z.object({
  ...common,
  alertId: z.string().max(64),
  monitorId: z.string().max(64),
  alertType: z.string().max(64),
});
export const NewsSummary = z.object({
  severity: severity.describe(
    'The highest of the events that it stands for; critical where that is not known.',
  ),
  categories,
  reason: z
    .enum(['first-load', 'release', 'many-changes'])
    .describe(
      'A list was loaded for the first time or released by an operator, or one run changed too many.',
    ),
  message: z.string().max(500),
  types: z.array(z.enum(TYPES)).max(TYPES.length).describe('The types of the events that it stands for.'),
  count: z.int().min(0).describe('Indicators that changed and are not told one by one.'),
  source: z.object({ id: z.string().max(64), name: z.string().max(120) }).nullable(),
});

const stamped = <S extends z.ZodRawShape>(payload: z.ZodObject<S>) =>
  z.object({
    id: z.string().max(20).describe('The id of the event; send it as Last-Event-ID to resume after it.'),
    occurredAt: time,
    ...payload.shape,
  });

const event = <T extends string, S extends z.ZodType>(type: T, data: S) =>
  z.object({ type: z.literal(type), data });

/** One data line of the stream. `gap` and `summary` are sent whatever types the reader asks for. */
export const ThreatEvent = z
  .discriminatedUnion('type', [
    event('threat.new', stamped(NewThreat)),
    event('threat.updated', stamped(UpdatedThreat)),
    event('reputation.changed', stamped(ChangedReputation)),
    event('ioc.published', stamped(PublishedIoc)),
    event('watchlist.alert', stamped(AlertOfWatchlist)),
    event('summary', stamped(NewsSummary)).describe('Stands for many events of the types that it names.'),
    event(
      'gap',
      z.object({
        id: z.string().max(20),
        after: z.string().max(20).describe('The last event before the gap.'),
        reason: z.enum(['expired', 'unknown', 'lost']),
        message: z.string().max(500),
      }),
    ).describe('Events after `after` and up to `id` can no longer be sent: read the lists again.'),
  ])
  .meta({ id: 'ThreatEvent' });
export type ThreatEvent = z.output<typeof ThreatEvent>;
