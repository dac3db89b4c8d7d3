import { z } from 'zod';
import { FP_RISKS, SOURCE_FORMATS, THREAT_CLASSES } from '#capabilities/corpus/index.ts';

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
        'How the listed value relates to the one asked about: itself, a range around it, the same file under another digest, a domain above it.',
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
  })
  .meta({ id: 'SourceEntry' });
export type SourceEntry = z.infer<typeof SourceEntry>;

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
