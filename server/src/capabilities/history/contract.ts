import { z } from 'zod';
import { type Domain, type Ip, parseIndicator } from '#domain/indicator/index.ts';
import { RISK_LEVELS } from '#domain/scoring/index.ts';

const TEXT_MAX = 2_048;
const DAYS_DEFAULT = 30;
const DAYS_MAX = 365;
/** Points are kept for 90 days; today is one more. */
const POINTS_MAX = 91;
/** Only the newest events are returned; more changes than this carry no information. */
export const EVENTS_MAX = 500;

/** An address or a domain; URLs and hashes have no history (decisions 3.7). */
export const HistoryQuery = z
  .object({
    entity: z
      .string()
      .max(TEXT_MAX)
      .describe('IP address or domain. Defanged forms are understood.')
      .meta({ examples: ['185.220.101.1'] }),
    days: z.coerce
      .number()
      .int()
      .min(1)
      .default(DAYS_DEFAULT)
      // More than the maximum is read as the maximum, like every number of this kind (decisions 1.6).
      .transform((days) => Math.min(days, DAYS_MAX))
      .describe('How many days, today included; more than 365 are read as 365.'),
  })
  .transform(({ entity, days }, context): HistoryQuery => {
    const parsed = parseIndicator(entity);
    if (parsed.ok && (parsed.indicator.kind === 'ip' || parsed.indicator.kind === 'domain'))
      return { indicator: parsed.indicator, days };
    const message = parsed.ok
      ? `'${parsed.indicator.value}' is neither an IP address nor a domain. Send one of these.`
      : parsed.reason;
    context.addIssue({ code: 'custom', path: ['entity'], message });
    return z.NEVER;
  });
export type HistoryQuery = { readonly indicator: Ip | Domain; readonly days: number };

const Point = z
  .object({
    date: z.iso.date(),
    score: z.int().min(0).max(100),
    level: z.enum(RISK_LEVELS),
    blocklistHits: z.int().min(0),
    malicious: z.boolean(),
  })
  .meta({ id: 'HistoryPoint' });
export type Point = z.infer<typeof Point>;

const Event = z
  .object({
    at: z.iso.datetime(),
    type: z.enum(['listed', 'delisted', 'score_changed']),
    source: z.string().optional().describe('Name of the list; with listed and delisted.'),
    from: z.enum(RISK_LEVELS).optional().describe('Level before; with score_changed.'),
    to: z.enum(RISK_LEVELS).optional().describe('Level after; with score_changed.'),
  })
  .meta({ id: 'HistoryEvent' });
export type Event = z.infer<typeof Event>;

const Span = z
  .object({
    sourceId: z.string(),
    source: z.string().describe('Name of the list.'),
    first: z.iso
      .datetime()
      .describe(
        'When the list first had it: the date that the list gives the entry, else the day on which it appeared there.',
      ),
    startKnown: z
      .boolean()
      .describe(
        'False: nothing dates the entry. `first` is then the date of the data in which the list was first read; it may have been there long before.',
      ),
    last: z.iso
      .datetime()
      .describe(
        'When the list dropped it. Of an open span the last sighting that the list states, else the date of its data.',
      ),
    open: z.boolean().describe('The list has it now.'),
  })
  .meta({ id: 'HistorySpan' });
export type Span = z.infer<typeof Span>;

export const ReputationHistory = z
  .object({
    entity: z.string(),
    type: z.enum(['ip', 'domain']),
    days: z.int(),
    points: z
      .array(Point)
      .max(POINTS_MAX)
      .describe(
        'One a day, oldest first: the end of the day in UTC, today this moment. The last one is what `/check` answers now, without live lookups.',
      ),
    events: z
      .array(Event)
      .max(EVENTS_MAX)
      .describe(
        'Oldest first; the newest 500. `listed` has the date of the list, which may be before `retainedFrom`; a listing whose start nothing dates is only in `spans`.',
      ),
    spans: z
      .array(Span)
      .max(EVENTS_MAX)
      .describe(
        'When each threat list named it, a range around it or a domain above it, oldest first. Spans that ended before the days asked for are left out. Beyond the contract.',
      ),
    firstSeen: z.iso.datetime().nullable().describe('Earliest sighting by a threat list that names it.'),
    lastSeen: z.iso.datetime().nullable(),
    trend: z
      .enum(['rising', 'falling', 'stable'])
      .describe('Mean score of the last week against that of the first; 5 points make a difference.'),
    retainedFrom: z.iso
      .datetime()
      .nullable()
      .describe('Days before it are not in `points`: nothing is kept of them. Beyond the contract.'),
  })
  .meta({ id: 'ReputationHistory' });
export type ReputationHistory = z.infer<typeof ReputationHistory>;
