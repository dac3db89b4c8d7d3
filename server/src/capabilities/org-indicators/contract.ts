import { z } from 'zod';
import { type Indicator, parseIndicator, REJECTIONS } from '#domain/indicator/index.ts';
import { atMost } from '#platform/request-fields.ts';

export const ITEMS_MAX = 100;
const VALUE_MAX = 2_048;
const CATEGORY_MAX = 40;
const TEXT_MAX = 500;
const PAGE_MAX = 1_000_000;
const LIMIT_DEFAULT = 25;
const LIMIT_MAX = 100;

export const ENTITY_TYPES = ['ip', 'domain', 'hash'] as const;
const EntityType = z.enum(ENTITY_TYPES);
export type EntityType = z.infer<typeof EntityType>;
const Status = z.enum(['approved', 'revoked']);
export type Status = z.infer<typeof Status>;
const Disposition = z.enum(['block', 'allow']);
export type Disposition = z.infer<typeof Disposition>;

/** The category of an allowed value, and of a blocked one that fits none of contract 4.6 (decisions 3.18). */
const OTHER = 'other';
const CATEGORY = /^[a-zA-Z0-9][a-zA-Z0-9 ._-]*$/;
/** Wider ranges hold whole providers: to block or allow one is a slip of the keyboard. */
const BITS_MIN = { 4: 8, 6: 16 } as const;

/** PostgreSQL text cannot hold U+0000. */
const text = () =>
  z
    .string()
    .max(TEXT_MAX)
    .refine((value) => !value.includes('\u0000'), 'It must not hold the character U+0000.')
    .nullish();

const Category = z
  .string({ error: 'Say what it is accused of, such as phishing or c2; `other` if nothing fits.' })
  .trim()
  .toLowerCase()
  .min(1)
  .max(CATEGORY_MAX)
  .regex(CATEGORY, 'A category is made of letters, digits, spaces, dots and hyphens, such as phishing or c2.')
  .describe('malware, phishing, spam, scam, fraud, botnet, ransomware, c2, other, or a word of your own.');

const GivenItem = z.object({
  type: EntityType.optional().describe('What `value` is; `entityType` is read too.'),
  entityType: EntityType.optional().describe('Another name of `type`.'),
  value: z
    .string({ error: 'Send the address, name or hash.' })
    .max(VALUE_MAX)
    .describe('An IP address or range, a domain, or an MD5, SHA-1 or SHA-256; defanged forms are read.')
    .meta({ examples: ['203.0.113.7'] }),
  category: Category.optional()
    .describe('Required for a blocked value.')
    .meta({ examples: ['phishing'] }),
  comment: text(),
  disposition: Disposition.default('block').describe(
    'An extension. `allow` takes the value off the lists of this organization and is said in its checks.',
  ),
  reason: text().describe(
    'An extension. Why it is allowed or blocked; shown in the checks of the organization.',
  ),
  endsAt: z.iso
    .datetime({ offset: true, error: 'Send a time with its zone such as 2026-12-01T00:00:00Z.' })
    .max(40)
    .nullish()
    .describe('An extension. When it stops to count by itself; never, when absent.'),
});

/** An item as it is stored; the indicator is in its one canonical form. */
export type Item = {
  readonly entityType: EntityType;
  readonly indicator: Extract<Indicator, { kind: 'ip' | 'cidr' | 'domain' | 'hash' }>;
  readonly disposition: Disposition;
  readonly category: string;
  readonly comment: string | null;
  readonly reason: string | null;
  readonly endsAtMs: number | null;
};

const TYPE_OF_KIND: Partial<Record<Indicator['kind'], EntityType>> = {
  ip: 'ip',
  cidr: 'ip',
  domain: 'domain',
  hash: 'hash',
};
const WANTED: Readonly<Record<EntityType, string>> = {
  ip: 'an IP address or a range',
  domain: 'a domain',
  hash: 'a file hash',
};

const SubmittedItem = GivenItem.transform((given, context): Item => {
  const refuse = (path: string, message: string) => {
    context.addIssue({ code: 'custom', path: [path], message });
    return z.NEVER;
  };
  const entityType = given.type ?? given.entityType;
  if (entityType === undefined) return refuse('type', 'Say what the value is: ip, domain or hash.');
  const parsed = parseIndicator(given.value);
  if (!parsed.ok)
    return refuse(
      'value',
      parsed.reason === REJECTIONS.unrecognized ? `This is not ${WANTED[entityType]}.` : parsed.reason,
    );
  const { indicator } = parsed;
  if (TYPE_OF_KIND[indicator.kind] !== entityType)
    return refuse('value', `This is not ${WANTED[entityType]}; correct the value or its type.`);
  if (indicator.kind === 'domain' && indicator.registrable === null && given.disposition === 'block')
    return refuse('value', REJECTIONS.isSuffix);
  if (indicator.kind === 'cidr' && indicator.bits < BITS_MIN[indicator.version])
    return refuse(
      'value',
      `A range of IPv${indicator.version} has at least /${BITS_MIN[indicator.version]}; send smaller ones.`,
    );
  const category = given.category ?? (given.disposition === 'allow' ? OTHER : undefined);
  if (category === undefined)
    return refuse('category', 'Say what it is accused of, such as phishing or c2; `other` if nothing fits.');
  return {
    entityType,
    indicator: indicator as Item['indicator'],
    disposition: given.disposition,
    category,
    comment: given.comment ?? null,
    reason: given.reason ?? null,
    endsAtMs: given.endsAt ? Date.parse(given.endsAt) : null,
  };
});

export const SubmitBody = z.object({
  indicators: z
    .array(SubmittedItem, { error: 'Send a list of 1 to 100 indicators.' })
    .min(1, 'Send a list of 1 to 100 indicators.')
    .max(ITEMS_MAX, 'Send a list of 1 to 100 indicators.'),
});
export type SubmitBody = z.infer<typeof SubmitBody>;

const SubmitWarning = z.object({
  index: z.int().describe('Place of the item in the request, from 0.'),
  value: z.string(),
  code: z.enum(['private', 'popular', 'infrastructure', 'service', 'accused', 'own']),
  message: z.string(),
});
export type SubmitWarning = z.infer<typeof SubmitWarning>;
/** What a warning says; the caller adds the value and its place in the request. */
export type Told = Omit<SubmitWarning, 'index' | 'value'>;

export const SubmitReply = z.object({
  message: z.string(),
  inserted: z.int().describe('New and restored ones; unchanged and updated ones are not counted.'),
  indicators: z
    .array(z.object({ id: z.string(), entityType: EntityType, value: z.string() }))
    .describe('Every item of the request, in its order.'),
  warnings: z
    .array(SubmitWarning)
    .describe('What was stored although blocking or allowing it may hurt. Beyond the contract.'),
});
export type SubmitReply = z.infer<typeof SubmitReply>;

export const OrgIndicator = z
  .object({
    id: z.string(),
    entityType: EntityType,
    value: z.string(),
    status: Status,
    category: z.string(),
    comment: z.string().nullable(),
    submittedBy: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
    revokedAt: z.string().nullable(),
    disposition: Disposition.describe('Beyond the contract.'),
    reason: z.string().nullable().describe('Beyond the contract.'),
    endsAt: z.string().nullable().describe('Beyond the contract.'),
  })
  .meta({ id: 'OrgIndicator' });
export type OrgIndicator = z.infer<typeof OrgIndicator>;

export const ListQuery = z.object({
  entityType: EntityType.optional(),
  status: Status.optional(),
  disposition: Disposition.optional().describe('Beyond the contract.'),
  page: atMost(PAGE_MAX, 1),
  limit: atMost(LIMIT_MAX, LIMIT_DEFAULT).describe('At most 100.'),
});
export type ListQuery = z.infer<typeof ListQuery>;
export const ListReply = z.object({
  indicators: z.array(OrgIndicator).describe('Newest first.'),
  total: z.int(),
  page: z.int(),
  limit: z.int(),
});
export type ListReply = z.infer<typeof ListReply>;

export const IndicatorParams = z.object({
  id: z
    .string()
    .max(64)
    .describe('Id of an indicator of the organization.')
    .meta({ examples: ['ind_01M7KJJ2FN2YGH69WAERMZSVPS'] }),
});
export const RevokeReply = z.object({ indicator: z.object({ id: z.string(), status: Status }) });

export const BlocklistParams = z.object({
  entityType: z
    .string()
    .max(64)
    .describe('`ips`, `domains` or `hashes`; `ip`, `domain` and `hash` work too.')
    .meta({ examples: ['ips'] }),
});
const OF_PATH: Readonly<Record<string, EntityType>> = {
  ip: 'ip',
  ips: 'ip',
  domain: 'domain',
  domains: 'domain',
  hash: 'hash',
  hashes: 'hash',
};
export const entityTypeOfPath = (name: string): EntityType | undefined =>
  Object.hasOwn(OF_PATH, name) ? OF_PATH[name] : undefined;

export const BlocklistStats = z.object({
  ips: z.int(),
  domains: z.int(),
  hashes: z.int(),
  total: z.int(),
  updatedAt: z.string().nullable().describe('The last change of the list; null before the first.'),
});
export type BlocklistStats = z.infer<typeof BlocklistStats>;
