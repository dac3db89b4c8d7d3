import { z } from 'zod';
import { Evidence, SourceEntry, targetText } from '#capabilities/check/index.ts';
import { DATINGS, GUARDS, LETTERS, SourceId, THREAT_CLASSES } from '#capabilities/corpus/index.ts';
import { type Cidr4, type Cidr6, parseIndicator } from '#domain/indicator/index.ts';
import { RISK_LEVELS } from '#domain/scoring/index.ts';
import { inertText } from '#domain/text/inert-text.ts';
import { LIST_CLASSES } from '#domain/weights/index.ts';

/** How many members one answer names in each of its lists. */
export const MEMBERS_MAX = 100;
/** How many members one answer judges. Finding and judging this many takes 50 to 90 ms of one core. */
export const EXAMINED_MAX = 2_000;
/** How many families one member and one answer name. */
export const FAMILIES_MAX = 10;
export const FAMILIES_COUNTED_MAX = 50;
/** More than the pairs of a level and a word that the ladder has. */
const VERDICT_WORDS_MAX = 60;
const RANGES_MAX = 200;
export const ANNOUNCED_MAX = 100;
const CURSOR_MAX = 1_000;
const FAMILY_MAX = 80;
export const WIDEST_BITS = { 4: 16, 6: 32 } as const;

export const MEMBER_TYPES = [
  'ip',
  'cidr',
  'domain',
  'url',
  'hash',
  'email',
  'asn',
  'crypto',
  'phone',
] as const;

export const Cursor = z
  .string()
  .max(CURSOR_MAX)
  .describe('`next` of a list in an earlier answer to the same question: the members after it.')
  .optional();

const count = z.int().min(0);
const share = z.number().min(0).max(1);
/** The age groups of weights, in their order. */
export const AGES = ['fresh', 'mature', 'old', 'undated'] as const;
const Member = z
  .object({
    value: z.string(),
    type: z.enum(MEMBER_TYPES),
    score: z
      .int()
      .min(0)
      .max(100)
      .nullable()
      .describe(
        'Score, level, word and action as in /check without live lookups. Null for what /check does not take: ranges, e-mail addresses, networks, wallets and telephone numbers.',
      ),
    level: z.enum(RISK_LEVELS).nullable(),
    word: z.string().nullable(),
    action: Evidence.shape.recommendedAction.nullable(),
    categories: z.array(z.string()).describe('What current threat lists call it, strongest first.'),
    families: z
      .array(z.string())
      .max(FAMILIES_MAX)
      .describe('Malware families and tools that current threat lists name for it, as in /check.'),
    sources: count
      .nullable()
      .describe(
        'How many threat lists name it now, as `blocklistHits` of /check. Null for what is not judged.',
      ),
    firstSeen: z
      .string()
      .nullable()
      .describe(
        'First sighting by the list of this page: the source, those that name the family, or the earliest of all threat lists. Read it with `dating`.',
      ),
    dating: z
      .enum(DATINGS)
      .describe(
        'What `firstSeen` is: the date that the source gives the entry (`own`), the day it first appeared in the list (`sighted`), or no date of the entry but that of the data (`undated`).',
      ),
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

const MemberList = z
  .object({
    members: z.array(Member).max(MEMBERS_MAX),
    next: z
      .string()
      .max(CURSOR_MAX)
      .nullable()
      .describe('Send it as `cursor` for the members that follow; null at the end.'),
  })
  .meta({ id: 'MemberList' });
export type MemberList = z.infer<typeof MemberList>;

const MemberCounts = z
  .object({
    listed: count.describe('How many there are; with `isPartial` there are at least as many.'),
    examined: count.describe(
      `The newest of them, at most ${EXAMINED_MAX}, were judged. The counts below and the lists are of these.`,
    ),
    isPartial: z.boolean().describe('True when not all of them were examined.'),
    withheld: count.describe(
      'Entries of sources whose licence does not allow to pass them on: counted, and named only where another source lists them too.',
    ),
    byLevel: z
      .record(z.enum(RISK_LEVELS), count)
      .describe('Only what /check judges; the sum may be below `examined`.'),
    byWord: z
      .array(z.object({ level: z.enum(RISK_LEVELS), word: z.string(), count }))
      .max(VERDICT_WORDS_MAX)
      .describe(
        'The same by what the verdicts are called, worst level first; named services are one word, `Common service`.',
      ),
    byCategory: z
      .record(z.string(), count)
      .describe('By what current threat lists call them, most first. One member may have several.'),
    byFamily: z
      .record(z.string(), count)
      .describe(
        `By the malware family or tool that current threat lists name, most first, at most ${FAMILIES_COUNTED_MAX}.`,
      ),
    byType: z.partialRecord(z.enum(MEMBER_TYPES), count),
    dates: z
      .object({
        earliest: z.string().nullable(),
        latest: z.string().nullable(),
        undated: count.describe('How many have no date of their own.'),
      })
      .describe('The first sightings of those examined, without undated entries.'),
  })
  .meta({ id: 'MemberCounts' });
export type MemberCounts = z.infer<typeof MemberCounts>;

/** The members of a page: counts and both lists, or with a cursor only the list that it continues. */
export const Members = z
  .object({
    counts: MemberCounts,
    newest: MemberList.optional().describe(
      `The latest first sightings, ${MEMBERS_MAX} at a time. Absent when the cursor belongs to \`worst\`.`,
    ),
    worst: MemberList.optional().describe(
      `The highest scores among those examined, ${MEMBERS_MAX} at a time. Absent when the cursor belongs to \`newest\`.`,
    ),
  })
  .meta({ id: 'Members' });
export type Members = z.infer<typeof Members>;

export const AsnMembers = Members.extend({
  announced: count.describe('Ranges of the network in the table of networks.'),
  ranges: z
    .array(z.object({ cidr: z.string(), listed: count }))
    .max(ANNOUNCED_MAX)
    .describe(
      'Prefixes that it announces, each as wide as /threat-intel/network answers: those with the most listed addresses first, then others in the order of addresses.',
    ),
}).meta({ id: 'AsnMembers' });
export type AsnMembers = z.infer<typeof AsnMembers>;

export const RangeQuery = z
  .object({
    cidr: targetText(
      'A range of addresses: IPv4 from /16 to /31, IPv6 from /32 to /127.',
      '185.220.101.0/24',
    ),
    cursor: Cursor,
  })
  .transform(({ cidr, cursor }, context): RangeQuery => {
    const range = parseRange(cidr);
    if (typeof range !== 'string') return { range, cursor };
    context.addIssue({ code: 'custom', path: ['cidr'], message: range });
    return z.NEVER;
  });
export type RangeQuery = { readonly range: Cidr4 | Cidr6; readonly cursor: string | undefined };

const SHOWN_MAX = 60;
const shown = (text: string): string =>
  `${inertText(text, SHOWN_MAX) ?? ''}${text.length > SHOWN_MAX ? '…' : ''}`;

function parseRange(text: string): Cidr4 | Cidr6 | string {
  const parsed = parseIndicator(text);
  const found = parsed.ok ? parsed.indicator : null;
  if (found?.kind === 'ip') return `'${found.value}' is a single address. Ask about it with GET /check.`;
  if (found?.kind !== 'cidr')
    return `'${shown(text)}' is not a range of addresses, such as 185.220.101.0/24.`;
  const widest = WIDEST_BITS[found.version];
  return found.bits >= widest
    ? found
    : `'${found.value}' is too wide. An IPv${found.version} range here is /${widest} or longer.`;
}

const SourceRef = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  threatClass: z.enum(THREAT_CLASSES),
});
export type SourceRef = z.infer<typeof SourceRef>;

export const RangePage = Members.extend({
  cidr: z.string(),
  networks: z
    .array(z.object({ asn: z.int().min(1), name: z.string(), prefix: z.string().nullable() }))
    .describe('Who announces it, found at up to 256 evenly spaced addresses. Empty: no loaded table knows.'),
  ranges: z
    .array(
      z.object({
        cidr: z.string(),
        relation: z
          .enum(['covers', 'equals', 'inside'])
          .describe('Of ranges inside, only those that a threat source lists are named.'),
        sources: z.array(SourceRef),
      }),
    )
    .max(RANGES_MAX)
    .describe('Listed ranges around it and inside it.'),
  rangesTruncated: z.boolean().describe('True when more ranges inside it are listed.'),
  guards: z
    .array(z.object({ guard: z.enum([...GUARDS, 'named-service']), matched: z.string(), source: z.string() }))
    .describe('Why accusations inside it weigh less, and the list that says so.'),
  labels: z.array(z.string()).describe('What lists call the range: cloud, cdn, tor-exit, bogon …'),
  tags: z.array(z.string()),
  density: z
    .object({
      unit: z
        .enum(['address', '/64'])
        .describe('An IPv6 customer gets a /64, so IPv6 ranges are counted in these.'),
      total: z.int().min(1),
      listed: count.describe('How many hold an address that a threat source lists now.'),
      ratio: z.number().min(0).max(1),
    })
    .describe('With `counts.isPartial` a lower bound.'),
}).meta({ id: 'RangePage' });
export type RangePage = z.infer<typeof RangePage>;

export const SourceParams = z.object({
  id: SourceId.describe('Id of a source, as in `sources[]` of a check.').meta({ examples: ['urlhaus'] }),
});
export const PageQuery = z.object({ cursor: Cursor });

/** The fields of a source entry to show here: those that depend on a single listing are left out. */
const SHOWN_OF_SOURCE = {
  id: true,
  name: true,
  type: true,
  category: true,
  categories: true,
  threatClass: true,
  fpRisk: true,
  status: true,
  confidenceBase: true,
  retentionDays: true,
  tags: true,
  entityTypes: true,
  format: true,
} as const;

const Precision = z
  .object({
    version: z.string().describe('The version of the weights that is in force.'),
    class: z
      .enum(LIST_CLASSES)
      .describe(
        '`removes`: it takes entries back. `keeps`: an archive, or it takes nearly nothing back. `unknown`: neither is shown.',
      ),
    judged: count.describe('Entries of 14 to 60 days that were looked at again after 30 days.'),
    leftWithin30Days: share.nullable().describe('Of these, the share that left. Null: never measured.'),
    cells: z
      .array(
        z.object({
          age: z
            .enum(AGES)
            .describe(
              'How long the source has listed them: `fresh` up to 59 days, `mature` up to 364, `old` longer, `undated` unknown.',
            ),
          entries: z.number().min(0).describe('With entries that left and still count.'),
          visited: z.number().min(0).describe('Sites that people visit, among them or below them.'),
          oneIn: z.number().min(1).describe('One of so many entries is a site that people visit.'),
          points: z.int().min(0).max(100).describe('What one listing alone is worth, before its limits.'),
        }),
      )
      .max(AGES.length)
      .describe('Its names by age. Empty: none is counted, and the grade decides.'),
  })
  .meta({ id: 'SourcePrecision' });

const SourceFacts = SourceEntry.pick(SHOWN_OF_SOURCE)
  .extend({
    letter: z.enum(LETTERS).describe('Admiralty scale: from A, reliable, to E, unreliable; F is not rated.'),
    freshness: z
      .enum(['fresh', 'stale', 'unknown'])
      .describe('The age of its data against its own interval, as in /platform/data-freshness.'),
    dataAt: z.string().nullable().describe('The date of its data; null when nothing was loaded.'),
    entries: count,
    licence: z.string().nullable(),
    attribution: z.string().nullable(),
    redistributable: z.boolean().describe('False: its entries are counted and never named.'),
    precision: Precision.nullable()
      .optional()
      .describe('How many of its names are sites that people visit. Null for sources that list no threats.'),
  })
  .meta({ id: 'SourceFacts' });
export type SourceFacts = z.infer<typeof SourceFacts>;

export const SourcePage = Members.extend({ source: SourceFacts }).meta({ id: 'SourcePage' });
export type SourcePage = z.infer<typeof SourcePage>;

export const FamilyParams = z.object({
  name: z
    .string()
    .min(1)
    .max(FAMILY_MAX)
    .describe('Name of a malware family or tool, in any spelling of the sources.')
    .meta({ examples: ['emotet'] }),
});

const WORDS_MAX = 50;
export const FamilyPage = Members.extend({
  family: z.string().describe('Its normal form.'),
  words: z
    .array(z.string())
    .max(WORDS_MAX)
    .describe(`How sources write it, at most ${WORDS_MAX} of the spellings.`),
  sources: z
    .array(
      SourceRef.extend({ listings: count.describe('At least this many where `counts.isPartial` is true.') }),
    )
    .describe('The sources that name it, most listings first.'),
}).meta({ id: 'FamilyPage' });
export type FamilyPage = z.infer<typeof FamilyPage>;
export const SPELLINGS_MAX = WORDS_MAX;
export const RANGES_SHOWN_MAX = RANGES_MAX;
