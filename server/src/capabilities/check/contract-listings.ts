import { z } from 'zod';
import { DATINGS, FP_RISKS, SOURCE_FORMATS, THREAT_CLASSES } from '#capabilities/corpus/index.ts';

/** A source as in contract 2.2, with the fields that decisions G8 adds for every caller. */
export const SourceEntry = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string().describe('What it lists: ip, domain, url, hash, or mixed.'),
    category: z.string(),
    categories: z.array(z.string()),
    threatClass: z
      .enum(THREAT_CLASSES)
      .describe('Only `threat` accuses; the others say what the indicator is.'),
    fpRisk: z.enum(FP_RISKS).describe('How likely the list names harmless indicators.'),
    matchType: z
      .enum(['exact', 'cidr', 'alias', 'parent'])
      .describe(
        'How the listed value relates to the one asked about: itself, a range around it, the same file under another digest, a domain above it or the host of the page.',
      ),
    status: z.literal('verified').describe('An operator has admitted the source. Beyond the contract.'),
    confidenceBase: z
      .int()
      .min(0)
      .max(100)
      .describe('Reliability of the source as a percentage. Beyond the contract.'),
    retentionDays: z.int().min(1).describe('How long an entry is kept. Beyond the contract.'),
    tags: z.array(z.string()).describe('Beyond the contract.'),
    entityTypes: z.array(z.string()).describe('Beyond the contract.'),
    format: z.enum(SOURCE_FORMATS).describe('How the source is published. Beyond the contract.'),
    dating: z
      .enum(DATINGS)
      .describe(
        'What dates the entry: the source itself (`own`), the day it first appeared in the list (`sighted`), or nothing, because it was there when the list was first read (`undated`). Beyond the contract.',
      ),
    reportedAt: z
      .string()
      .optional()
      .describe(
        'The date the source gives the entry, RFC 3339; only where it gives one. Beyond the contract.',
      ),
    listedSince: z
      .string()
      .optional()
      .describe('The day the entry first appeared in the list, where that dates it. Beyond the contract.'),
    family: z
      .string()
      .optional()
      .describe('Malware family or tool, in the word of the source. Beyond the contract.'),
    reference: z
      .string()
      .optional()
      .describe(
        'Web address of the report that the source names. Written by strangers: look before you open it. Beyond the contract.',
      ),
  })
  .meta({ id: 'SourceEntry' });
export type SourceEntry = z.infer<typeof SourceEntry>;

/** Digests of one file, as far as lists link them (G12). Size and type are absent: only the file itself would tell. */
export const HashInfo = z
  .object({
    hashType: z.enum(['md5', 'sha1', 'sha256']),
    hash: z.string(),
    md5: z.string().optional(),
    sha1: z.string().optional(),
    sha256: z.string().optional(),
  })
  .meta({ id: 'HashInfo' });
export type HashInfo = z.infer<typeof HashInfo>;

export const Infrastructure = z
  .object({
    attributes: z
      .array(z.string())
      .describe('Distinct, sorted: tor-exit, vpn, proxy, cloud, cdn, crawler, sinkhole, bogon, allowlist …'),
    sources: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        category: z.string(),
        threatClass: z.enum(THREAT_CLASSES),
      }),
    ),
    tags: z
      .array(z.string())
      .optional()
      .describe('Other tags of these lists, sorted; absent when there are none. Beyond the contract.'),
  })
  .meta({ id: 'Infrastructure' });
export type Infrastructure = z.infer<typeof Infrastructure>;

export const Reputation = z
  .object({
    malicious: z.int().min(0),
    suspicious: z.int().min(0),
    harmless: z.int().min(0),
    undetected: z.int().min(0),
  })
  .describe('Counts of scanner-type sources. Four zeros: none of them answered, which is not "harmless".')
  .meta({ id: 'Reputation' });
export type Reputation = z.infer<typeof Reputation>;

export const PwnedPassword = z
  .object({
    hashType: z.enum(['sha1', 'ntlm']),
    count: z.int().min(1).describe('How often the password was seen in breaches.'),
    corpusUpdatedAt: z.string(),
  })
  .meta({ id: 'PwnedPassword' });
export type PwnedPassword = z.infer<typeof PwnedPassword>;

export const OrganizationWord = z
  .object({
    disposition: z
      .enum(['block', 'allow'])
      .describe('`block` counts as one source; `allow` is told and changes no points.'),
    id: z.string().max(64),
    matched: z.string().describe('The reported value: this one, a range around it or a domain above it.'),
    matchType: z.enum(['exact', 'cidr', 'parent']),
    category: z.string(),
    reason: z.string().nullable(),
    since: z.string(),
    endsAt: z.string().nullable(),
  })
  .meta({ id: 'OrganizationWord' });
export type OrganizationWord = z.infer<typeof OrganizationWord>;
