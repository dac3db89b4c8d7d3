import { z } from 'zod';
import { GeoReply, MitreReply } from '#capabilities/enrichment/index.ts';
import {
  Certificates,
  DnsFacts,
  Otx,
  Technologies,
  Vulnerabilities,
  Whois,
} from '#capabilities/providers/index.ts';
import { otherRouteFor } from '#domain/contact/index.ts';
import { type Domain, type Indicator, type Ip, isSingle, parseIndicator } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import {
  LookalikeReply,
  RansomwareClaims,
  RelatedInfrastructure,
  Service,
  Timeline,
} from './contract-context.ts';
import {
  HashInfo,
  Infrastructure,
  OrganizationWord,
  PwnedPassword,
  Reputation,
  SourceEntry,
} from './contract-listings.ts';
import {
  Classification,
  Confidence,
  CrossCorrelation,
  DataTrust,
  Evidence,
  RiskScore,
} from './contract-verdict.ts';
import { askTime } from './iso-time.ts';
import { targetQuery, targetText } from './target-query.ts';

const TEXT_MAX = 2_048;
const SOURCES_MAX = 1_000;
const TIMESTAMP_MAX = 40;

export const EnrichmentLevel = z.enum(['fast', 'basic', 'standard', 'full']);
export type EnrichmentLevel = z.infer<typeof EnrichmentLevel>;

const target = (what: string) => z.string().max(TEXT_MAX).optional().describe(what);

const checkInput = (clock: Pick<Clock, 'now'>) =>
  z.object({
    query: target(
      'IP address, domain, URL, or MD5, SHA-1 or SHA-256 of a file. Defanged forms are understood.',
    ).meta({ examples: ['185.220.101.1'] }),
    ip: target('Same as query.'),
    domain: target('Same as query.'),
    hash: target('Same as query.'),
    enrichment: EnrichmentLevel.default('standard').describe(
      'How much to add to the verdict. `fast` is an extension: local data only; `pending` names the facets left out.',
    ),
    asOf: z.iso
      .datetime({ offset: true, error: () => askTime(clock.now()) })
      .max(TIMESTAMP_MAX)
      .optional()
      .describe(
        'Answers as it would have been answered then, at most 90 days ago. Needs a target. An extension.',
      ),
    track_reports: z
      .string()
      .max(16)
      .optional()
      .describe('Accepted and ignored: checks are never saved by themselves.'),
  });
const TARGETS = ['query', 'ip', 'domain', 'hash'] as const;
const OPTIONS: readonly string[] = ['enrichment', 'asOf', 'track_reports'] satisfies (keyof z.input<
  ReturnType<typeof checkInput>
>)[];
const TARGET_NAMES = 'query, ip, domain or hash';

/** Parsed in the schema, so that an unreadable target is refused before a check is charged (decisions 1.4). */
export const checkQuery = (clock: Pick<Clock, 'now'>) =>
  checkInput(clock).transform((input, context): CheckQuery => {
    const { enrichment } = input;
    const asOfMs = input.asOf === undefined ? null : Date.parse(input.asOf);
    const refuse = (path: string, message: string): never => {
      context.addIssue({ code: 'custom', path: [path], message });
      return z.NEVER;
    };
    const [field, ...others] = TARGETS.filter((name) => input[name] !== undefined);
    if (field === undefined)
      return asOfMs === null
        ? { indicator: null, enrichment, asOfMs }
        : refuse('asOf', 'Name a target as well, in query.');
    const text = input[field] ?? '';
    const parsed = parseIndicator(text);
    const reason = parsed.ok ? refusalOf(parsed.indicator) : (otherRouteFor(text) ?? parsed.reason);
    if (!parsed.ok || reason !== null) return refuse(field, reason ?? 'Not an indicator.');
    const { indicator } = parsed;
    const other = others.find((name) => !isSame(indicator, parseIndicator(input[name] ?? '')));
    if (other !== undefined)
      return refuse(other, `${field} and ${other} have different values. Send one target.`);
    return { indicator, enrichment, asOfMs };
  });

const isSame = (indicator: Indicator, other: ReturnType<typeof parseIndicator>): boolean =>
  other.ok && other.indicator.kind === indicator.kind && other.indicator.value === indicator.value;

/** Why a request with parameters has no target, for the answer to it. Null when no parameter was sent. */
export function missingTarget(sent: readonly string[]): string | null {
  if (sent.length === 0) return null;
  const unknown = sent.find((name) => !OPTIONS.includes(name));
  if (unknown === undefined) return `No target: send one in ${TARGET_NAMES}.`;
  const name = /^[\w.-]{1,40}$/.test(unknown) ? `'${unknown}'` : 'What was sent';
  return `No target: ${name} is not a parameter. Use ${TARGET_NAMES}.`;
}
export type CheckQuery = {
  readonly indicator: Indicator | null;
  readonly enrichment: EnrichmentLevel;
  readonly asOfMs: number | null;
};

/** The widest ranges that have a page (O58). */
const NETWORK_BITS_MIN = { 4: 16, 6: 32 } as const;

export function refusalOf(indicator: Indicator): string | null {
  if (!isSingle(indicator)) {
    const { value, bits, version } = indicator;
    return bits < NETWORK_BITS_MIN[version]
      ? `'${value}' is a range. Send one address of it.`
      : `'${value}' is a range. Send one address of it, or ask GET /threat-intel/network?cidr=${value} about the range.`;
  }
  if (indicator.kind === 'email')
    return 'This is an e-mail address. Ask GET /check/email about it, or send an IP, domain, URL or file hash.';
  return null;
}

/** Reputation takes only an address or a domain (G56). */
export const ReputationQuery = targetQuery(
  targetText('IP address or domain.', '185.220.101.1'),
  (indicator): ReputationQuery | string =>
    indicator.kind === 'ip' || indicator.kind === 'domain'
      ? { indicator }
      : `'${indicator.value}' is neither an IP address nor a domain.`,
);
export type ReputationQuery = { readonly indicator: Ip | Domain };

export const ReputationResult = z
  .object({
    reputation: Reputation,
    blocklistHits: z
      .int()
      .min(0)
      .describe('Threat lists that name it now, as in `GET /check`. Beyond the contract.'),
    riskScore: RiskScore.pick({ score: true, level: true, word: true }).describe(
      'The verdict of `GET /check`. Beyond the contract.',
    ),
    message: z
      .string()
      .describe('One sentence about the counts, the lists and the verdict. Beyond the contract.'),
  })
  .meta({ id: 'ReputationResult' });
export type ReputationResult = z.infer<typeof ReputationResult>;

/** The facets that a `fast` answer may leave out (G53), and those whose lookup may outlast an answer (O80). */
const PENDING = [
  'dns',
  'whois',
  'geo',
  'certificates',
  'otx',
  'circl',
  'vulnerabilities',
  'technologies',
  'reputation',
] as const;

/** The answer of contract 2.1, with the fields that decisions G6 adds at `full`. */
export const CheckResult = z
  .object({
    query: z.string().optional().describe('What was judged, normalised. Beyond the contract.'),
    target: z
      .null()
      .optional()
      .describe(
        'Null when parameters were sent and none of them is a target: nothing was judged, and `malicious: false` is no verdict. Absent otherwise. Beyond the contract.',
      ),
    message: z.string().optional().describe('With `target: null`: the mistake in the parameters.'),
    malicious: z.boolean().describe('Set by scanner-type evidence only; feed listings alone never set it.'),
    blocklistHits: z
      .int()
      .min(0)
      .optional()
      .describe('Threat lists that name it now; lists of advertisers and trackers do not count.'),
    blocklistListed: z.boolean().optional(),
    sources: z
      .array(SourceEntry)
      .max(SOURCES_MAX)
      .optional()
      .describe('Every list that names it, a range around it or a domain above it, one entry a list.'),
    infrastructure: Infrastructure.optional().describe(
      'Present only when a listing says what the indicator is.',
    ),
    service: Service.optional().describe(
      'The known service that the value, or the host of the URL, belongs to. Beyond the contract.',
    ),
    lookalike: LookalikeReply.optional().describe(
      'Of a domain that resembles an often imitated one; adds no points by itself. Beyond the contract.',
    ),
    ransomwareClaims: RansomwareClaims.optional().describe(
      'Of a domain whose organization ransomware groups claim as a victim: context that adds no points. Beyond the contract.',
    ),
    organization: OrganizationWord.optional().describe(
      'What your organization reported of it; only its members see it. An extension.',
    ),
    reputation: Reputation.optional(),
    riskScore: RiskScore.optional().describe('From standard on.'),
    confidence: Confidence.optional().describe('From standard on.'),
    classification: Classification.optional().describe('From standard on.'),
    mitre: MitreReply.optional().describe(
      'From standard on: techniques of MITRE ATT&CK that go with what it is accused of. Beyond the contract.',
    ),
    crossCorrelation: CrossCorrelation.optional().describe('From standard on. Beyond the contract.'),
    geo: GeoReply.nullable()
      .optional()
      .describe('Of the address, or of the first one a name leads to; null where nothing is known.'),
    whois: Whois.nullable()
      .optional()
      .describe('Of the address, or the registrable domain; null where not available.'),
    certificates: Certificates.nullable().optional().describe('Of the host; null where not available.'),
    vulnerabilities: Vulnerabilities.nullable()
      .optional()
      .describe('Of an address; null where not available, which is not "none".'),
    otx: Otx.optional().describe(
      'From standard on; absent when the community has no entry or did not answer.',
    ),
    dns: DnsFacts.optional().describe('At full: of a name. Beyond the contract.'),
    technologies: Technologies.optional().describe('At full: what the host runs. Beyond the contract.'),
    timeline: Timeline.optional().describe('At full. Beyond the contract.'),
    relatedInfrastructure: RelatedInfrastructure.optional().describe('At full. Beyond the contract.'),
    apiVersion: z.literal('v2'),
    enrichmentLevel: EnrichmentLevel.describe('The level applied.'),
    dataTrust: DataTrust.nullable().optional().describe('Null at basic.'),
    evidence: Evidence.nullable().optional().describe('Null at basic.'),
    pending: z
      .array(z.enum(PENDING))
      .optional()
      .describe(
        'At fast: the facets that were not looked up. At standard and full: those whose lookup goes on behind the answer; ask again for them, or read the stream. An extension.',
      ),
    lookupStatus: z
      .enum(['known', 'unknown'])
      .optional()
      .describe('File hashes only. Unknown: no source has seen it, which is no clean verdict.'),
    knownGood: z
      .literal(true)
      .optional()
      .describe('File hashes only: a list of known-good files holds it. Beyond the contract.'),
    malwareFamily: z
      .string()
      .optional()
      .describe('The family that most independent lists name, weighed by reliability. Beyond the contract.'),
    malwareFamilies: z
      .array(z.string())
      .max(SOURCES_MAX)
      .optional()
      .describe('Every family that lists name, in one spelling, strongest first. Beyond the contract.'),
    hashInfo: HashInfo.optional().describe('File hashes only. Beyond the contract.'),
    threatType: z
      .string()
      .optional()
      .describe('File hashes only: the strongest of `categories`. Beyond the contract.'),
    categories: z
      .array(z.string())
      .max(SOURCES_MAX)
      .optional()
      .describe('File hashes only: what current lists accuse it of, strongest first. Beyond the contract.'),
    pwnedPassword: PwnedPassword.optional().describe(
      'The value is also the SHA-1 or NTLM hash of a breached password. Never bears on the verdict.',
    ),
  })
  .meta({ id: 'CheckResult' });
export type CheckResult = z.infer<typeof CheckResult>;
export type PendingFacet = (typeof PENDING)[number];
