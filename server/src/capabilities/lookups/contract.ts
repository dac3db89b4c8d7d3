import { z } from 'zod';
import { targetQuery, targetText } from '#capabilities/check/index.ts';
import {
  Certificates,
  IntelOwlReport,
  Tenant,
  Vulnerabilities,
  Whois,
} from '#capabilities/providers/index.ts';
import { type Domain, hostOf, type Ip, isBogon, parseIndicator } from '#domain/indicator/index.ts';

const TEXT_MAX = 2_048;

export const WhoisQuery = targetQuery(
  targetText('IP address, domain, or URL, whose host is taken.', 'example.com'),
  (indicator): { readonly host: Ip | Domain } | string => {
    const host = indicator.kind === 'email' ? null : hostOf(indicator);
    return host === null
      ? `'${indicator.value}' is in no registry. Send an IP address, a domain or a URL.`
      : { host };
  },
);

export const CertificatesQuery = targetQuery(
  targetText('Domain or IP address.', 'example.com'),
  (indicator): { readonly host: Ip | Domain } | string =>
    indicator.kind === 'ip' || indicator.kind === 'domain'
      ? { host: indicator }
      : `'${indicator.value}' has no certificate of its own. Send a domain or an IP address.`,
);

export const VulnerabilitiesQuery = targetQuery(
  targetText('IP address.', '185.220.101.1'),
  (indicator): { readonly ip: Ip } | string =>
    indicator.kind === 'ip' ? { ip: indicator } : `'${indicator.value}' is not an IP address.`,
);

export const TenantQuery = targetQuery(
  targetText('Domain, or URL, whose host is taken.', 'example.com'),
  (indicator): { readonly domain: Domain } | string => {
    const host = indicator.kind === 'email' ? null : hostOf(indicator);
    return host?.kind === 'domain'
      ? { domain: host }
      : `'${indicator.value}' is not a domain: tenants are found by a domain, or by a URL with one.`;
  },
);

const INTELOWL_TYPES = ['ip', 'domain', 'url', 'hash'] as const;
type IntelOwlType = (typeof INTELOWL_TYPES)[number];

export const IntelOwlQuery = z
  .object({
    query: targetText('IP address, domain, URL or file hash.', 'example.com'),
    type: z.enum(INTELOWL_TYPES).optional().describe('Read off the query when it is not given.'),
    cache_only: z
      .enum(['true', 'false'])
      .default('false')
      .describe('`true`: only a cached answer; 404 without one.'),
  })
  .transform(({ query, type, cache_only }, context): IntelOwlQuery => {
    const parsed = parseIndicator(query);
    const refuse = (message: string, path = 'query') => {
      context.addIssue({ code: 'custom', path: [path], message });
      return z.NEVER;
    };
    if (!parsed.ok) return refuse(parsed.reason);
    const { kind, value } = parsed.indicator;
    const known = INTELOWL_TYPES.find((each) => each === kind);
    if (known === undefined) return refuse(`'${value}' is not an IP address, domain, URL or file hash.`);
    if (type !== undefined && type !== known)
      return refuse(
        `'${value}' is of type ${known}, not ${type}. Leave type out to have it read off.`,
        'type',
      );
    const host = hostOf(parsed.indicator);
    if (host?.kind === 'ip' && isBogon(host))
      return refuse(`${host.value} is not a public address, and such addresses are not looked up.`);
    return { type: known, value, isCacheOnly: cache_only === 'true' };
  });
export type IntelOwlQuery = {
  readonly type: IntelOwlType;
  readonly value: string;
  readonly isCacheOnly: boolean;
};

/** Present only when the source could not be queried; a source without an entry gives null alone (G56). */
const message = z
  .string()
  .max(300)
  .optional()
  .describe('Why there is no answer, or only an old one. Beyond the contract.');

export const WhoisReply = z.object({ whois: Whois.nullable(), message }).meta({ id: 'WhoisLookup' });
export type WhoisReply = z.infer<typeof WhoisReply>;
export const CertificatesReply = z
  .object({ certificates: Certificates.nullable(), message })
  .meta({ id: 'CertificatesLookup' });
export type CertificatesReply = z.infer<typeof CertificatesReply>;
export const VulnerabilitiesReply = z
  .object({ vulnerabilities: Vulnerabilities.nullable(), message })
  .meta({ id: 'VulnerabilitiesLookup' });
export type VulnerabilitiesReply = z.infer<typeof VulnerabilitiesReply>;

export const TenantReply = z
  .object({
    tenant: Tenant.nullable(),
    message: z.string().max(300).describe('What was found, or why nothing was.'),
  })
  .meta({ id: 'TenantLookup' });
export type TenantReply = z.infer<typeof TenantReply>;

export const IntelOwlReply = z
  .object({
    status: IntelOwlReport.shape.status.describe(
      'accepted: submitted, ask again for the result; failed: the analysis itself failed.',
    ),
    query: z.string().max(TEXT_MAX),
    type: z.enum(INTELOWL_TYPES),
    cached: z.boolean(),
    jobId: z.int().min(0).optional(),
    fetchedAt: z.string().max(40),
    analyzers: IntelOwlReport.shape.analyzers,
    summary: IntelOwlReport.shape.summary.describe(
      'By what analyzers evaluated; those that evaluate nothing count in `total` alone.',
    ),
  })
  .meta({ id: 'IntelOwlLookup' });
export type IntelOwlReply = z.infer<typeof IntelOwlReply>;
