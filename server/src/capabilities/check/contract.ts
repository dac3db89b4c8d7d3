import { z } from 'zod';
import { FP_RISKS, THREAT_CLASSES } from '#capabilities/corpus/index.ts';
import { type Indicator, isSingle, parseIndicator } from '#domain/indicator/index.ts';

const TEXT_MAX = 2_048;
const SOURCES_MAX = 1_000;

export const EnrichmentLevel = z.enum(['basic', 'standard', 'full']);
export type EnrichmentLevel = z.infer<typeof EnrichmentLevel>;

const target = (what: string) => z.string().max(TEXT_MAX).optional().describe(what);

/** What a caller may send; the first of query, ip, domain, hash that is present is judged (decisions 3.1). */
const CheckInput = z.object({
  query: target(
    'IP address, domain, URL, or MD5, SHA-1 or SHA-256 of a file. Defanged forms are understood.',
  ).meta({ examples: ['185.220.101.1'] }),
  ip: target('Same as query.'),
  domain: target('Same as query.'),
  hash: target('Same as query.'),
  enrichment: EnrichmentLevel.default('standard').describe('How much to add to the verdict.'),
  track_reports: z
    .string()
    .max(16)
    .optional()
    .describe('Accepted and ignored: checks are never saved by themselves.'),
});

/** Parsed at the door, so that a target we cannot read is refused before a check is charged (decisions 1.4). */
export const CheckQuery = CheckInput.transform((input, context): CheckQuery => {
  const field = (['query', 'ip', 'domain', 'hash'] as const).find((name) => input[name] !== undefined);
  if (field === undefined) return { indicator: null, enrichment: input.enrichment };
  const parsed = parseIndicator(input[field] ?? '');
  const reason = parsed.ok ? refusalOf(parsed.indicator) : parsed.reason;
  if (!parsed.ok || reason !== null) {
    context.addIssue({ code: 'custom', path: [field], message: reason ?? 'Not an indicator.' });
    return z.NEVER;
  }
  return { indicator: parsed.indicator, enrichment: input.enrichment };
});
export type CheckQuery = { readonly indicator: Indicator | null; readonly enrichment: EnrichmentLevel };

function refusalOf(indicator: Indicator): string | null {
  if (!isSingle(indicator)) return `'${indicator.value}' is a range. Ask about one address of it.`;
  if (indicator.kind === 'email')
    return 'This is an e-mail address. Ask about an IP, domain, URL or file hash.';
  return null;
}

/** Contract 2.2. */
const SourceEntry = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    category: z.string(),
    categories: z.array(z.string()),
    threatClass: z.enum(THREAT_CLASSES),
    fpRisk: z.enum(FP_RISKS),
    matchType: z.enum(['exact', 'cidr', 'alias', 'parent']),
  })
  .meta({ id: 'SourceEntry' });
export type SourceEntry = z.infer<typeof SourceEntry>;

const Infrastructure = z
  .object({
    attributes: z.array(z.string()).describe('Distinct, sorted.'),
    sources: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        category: z.string(),
        threatClass: z.enum(THREAT_CLASSES),
      }),
    ),
  })
  .meta({ id: 'Infrastructure' });
export type Infrastructure = z.infer<typeof Infrastructure>;

const Reputation = z
  .object({
    malicious: z.int().min(0),
    suspicious: z.int().min(0),
    harmless: z.int().min(0),
    undetected: z.int().min(0),
  })
  .meta({ id: 'Reputation' });

/** Contract 2.1, at the levels this version answers. */
export const CheckResult = z
  .object({
    query: z.string().optional().describe('What was judged, normalised. Beyond the contract.'),
    malicious: z.boolean().describe('Set by scanner-type evidence only; feed listings alone never set it.'),
    blocklistHits: z.int().min(0).optional(),
    blocklistListed: z.boolean().optional(),
    sources: z.array(SourceEntry).max(SOURCES_MAX).optional(),
    infrastructure: Infrastructure.optional().describe(
      'Present only when a listing says what the indicator is.',
    ),
    reputation: Reputation.optional(),
    geo: z.null().optional(),
    whois: z.null().optional(),
    certificates: z.null().optional(),
    vulnerabilities: z.null().optional(),
    apiVersion: z.literal('v2'),
    enrichmentLevel: EnrichmentLevel,
    dataTrust: z.null().optional(),
    evidence: z.null().optional(),
    lookupStatus: z.enum(['known', 'unknown']).optional().describe('File hashes only.'),
  })
  .meta({ id: 'CheckResult' });
export type CheckResult = z.infer<typeof CheckResult>;
