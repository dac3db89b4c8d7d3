import { z } from 'zod';
import { CheckResult, EnrichmentLevel, Evidence, SourceEntry } from '#capabilities/check/index.ts';
import { CHAINS, CONTACT_VERDICTS, LINE_TYPES, MAIL_GRADES } from '#domain/contact/index.ts';
import { TECHNIQUES } from '#domain/lookalike/index.ts';
import { RISK_LEVELS } from '#domain/scoring/index.ts';

const LIST_MAX = 50;
const SOURCES_MAX = 1_000;
const name = z.string().max(256);
const percent = z.int().min(0).max(100);
const timestamp = z.string().max(40).describe('RFC 3339, UTC.');
const level = z
  .enum(RISK_LEVELS)
  .describe('inconclusive: nothing is known against it, which is not "safe". Never safe.');
const action = Evidence.shape.recommendedAction;
const dataTrust = CheckResult.shape.dataTrust.unwrap();

export const ContactFactor = z
  .object({
    name,
    weight: z.number().min(0).max(1),
    score: z.number().min(0).max(100),
    contribution: z.int().min(0).max(100).describe('The contributions add up to the score.'),
    description: z.string().max(500),
  })
  .meta({ id: 'ContactFactor' });
export type ContactFactor = z.infer<typeof ContactFactor>;

/** A listing of a contact; the rule of decisions 3.3 reads `confidence`. */
export const ContactSource = SourceEntry.pick({
  id: true,
  name: true,
  category: true,
  categories: true,
  threatClass: true,
  fpRisk: true,
  tags: true,
})
  .extend({
    confidence: percent.describe('Confidence in the listing: 70 is enough alone, 60 confirms another.'),
  })
  .meta({ id: 'ContactSource' });
export type ContactSource = z.infer<typeof ContactSource>;

const ContactRisk = z
  .object({
    score: percent,
    level,
    word: z.string().describe('What the level is called, as in /check.'),
    summary: z.string().max(500).describe('One sentence.'),
  })
  .meta({ id: 'ContactRisk' });
export type ContactRisk = z.infer<typeof ContactRisk>;

const verdictFields = {
  verdict: z.enum(CONTACT_VERDICTS).describe('Never clean: an unlisted contact is unknown.'),
  malicious: z.boolean(),
  recommendedAction: action,
  lookupStatus: z.enum(['found', 'unknown']).describe('found: a list names it.'),
  dataTrust,
  evidence: Evidence,
} as const;

const flag = (what: string) =>
  z.boolean().nullable().describe(`${what} Null: not known, no name server answered.`);

const emailFields = {
  email: z.string().max(254),
  domain: name,
  localPart: z.string().max(64),
  riskScore: ContactRisk.extend({ factors: z.array(ContactFactor).max(LIST_MAX) }),
  listings: z
    .object({
      listed: z.boolean(),
      count: z.int().min(0),
      sources: z.array(name).max(SOURCES_MAX).describe('Names.'),
    })
    .describe('Threat lists that name the address itself.'),
  domainReputation: z.object({
    threatLevel: z
      .enum(['low', 'medium', 'high', 'critical'])
      .nullable()
      .describe('By the lists that name its domain; null: none does, which is not "clean".'),
    sources: z.int().min(0).describe('How many threat lists name its domain.'),
    disposable: z.boolean().describe('The domain offers throw-away mailboxes.'),
  }),
  validation: z.object({
    syntaxValid: z.boolean().describe('Always true: invalid syntax is answered 400.'),
    mxValid: flag('The domain can receive mail; false also for a null MX (RFC 7505).'),
  }),
  mailSecurity: z.object({
    hasSPF: flag('It publishes an SPF record.'),
    hasDMARC: flag('It says what to do with forgeries.'),
    hasDKIM: z
      .boolean()
      .nullable()
      .describe('Best effort over common selectors. Null: none was found, or none was looked for.'),
    grade: z.enum(MAIL_GRADES).nullable().describe('Null: not known.'),
  }),
} as const;

export const EmailResult = z
  .object({
    ...emailFields,
    apiVersion: z.literal('v1'),
    enrichmentLevel: EnrichmentLevel,
  })
  .meta({ id: 'EmailResult' });
export type EmailResult = z.infer<typeof EmailResult>;

const Mailbox = z
  .object({
    address: z.string().max(254),
    localPart: z.string().max(64),
    domain: name,
    disposable: z.boolean(),
    freeProvider: z.boolean().describe('The provider is open to the public.'),
    roleAccount: z.boolean().describe('Stands for a function, such as postmaster.'),
    subaddress: z.string().max(64).nullable().describe('What follows the plus.'),
    mx: flag('The domain can receive mail.'),
    domainReputation: z.object({
      lookupStatus: verdictFields.lookupStatus,
      malicious: z.boolean(),
      blocklistHits: z.int().min(0),
      sources: z.array(name).max(SOURCES_MAX),
      infrastructure: z.array(name).max(LIST_MAX).describe('What lists say the domain is.'),
    }),
  })
  .meta({ id: 'Mailbox' });

/** The report of the web host (decisions 3.3). `email` describes the mailbox; the address is in it and in `address`. */
export const EmailReport = z
  .object({
    ...emailFields,
    email: Mailbox,
    address: emailFields.email.describe('The address itself.'),
    ...verdictFields,
    reasons: z.array(z.string().max(500)).max(LIST_MAX).describe('Sentences, strongest first.'),
    lookalike: z
      .object({ brand: name, technique: z.enum(TECHNIQUES) })
      .nullable()
      .describe('The often imitated name that its domain resembles; null for none.'),
    domainAge: z
      .object({ createdDate: timestamp, days: z.int().min(0) })
      .nullable()
      .describe('Null: the registry was not queried, did not answer or does not publish it.'),
    breaches: z.null().describe('No source of breaches is configured in this version.'),
    dns: z
      .object({
        mx: z.array(name).max(LIST_MAX),
        spf: z.string().max(1_024).nullable(),
        dmarc: z.string().max(1_024).nullable(),
        dmarcPolicy: z.enum(['none', 'quarantine', 'reject']).nullable(),
      })
      .nullable()
      .describe('Null: no name server was queried, or none answered.'),
    apiVersion: z.literal('v2'),
    enrichmentLevel: EnrichmentLevel,
  })
  .meta({ id: 'EmailReport' });
export type EmailReport = z.infer<typeof EmailReport>;

export const PhoneResult = z
  .object({
    phone: z.string().max(16).nullable().describe('E.164; null when its country is not known.'),
    input: z.string().max(2_048).describe('As sent.'),
    countryCallingCode: z.string().max(3).nullable(),
    countryCode: z.string().length(2).nullable().describe('ISO 3166-1; null for a code of no country.'),
    resolvedWith: z
      .enum(['e164', 'country', 'nanp'])
      .nullable()
      .describe(
        'How the country was found: in the number, by `country`, or as a valid North American number.',
      ),
    lineType: z.enum(LINE_TYPES),
    ...verdictFields,
    blocklistHits: z.int().min(0),
    categories: z.array(name).max(LIST_MAX),
    sources: z.array(ContactSource).max(SOURCES_MAX),
    riskScore: ContactRisk,
    factors: z.array(ContactFactor).max(SOURCES_MAX),
    apiVersion: z.literal('v2'),
  })
  .meta({ id: 'PhoneResult' });
export type PhoneResult = z.infer<typeof PhoneResult>;

export const WalletResult = z
  .object({
    address: z.string().max(128),
    chain: z.enum(CHAINS),
    valid: z.literal(true).describe('The checksum holds; one that does not is answered 400.'),
    verdict: verdictFields.verdict.describe('As of other contacts. Beyond the contract.'),
    malicious: z.boolean().describe('Beyond the contract.'),
    recommendedAction: action.describe('Beyond the contract.'),
    riskScore: ContactRisk,
    localBlacklistHit: z.boolean().describe('A threat list names it.'),
    sources: z.array(ContactSource).max(SOURCES_MAX),
    categories: z.array(name).max(LIST_MAX),
    factors: z.array(ContactFactor).max(SOURCES_MAX),
    apiVersion: z.literal('v2'),
  })
  .meta({ id: 'WalletResult' });
export type WalletResult = z.infer<typeof WalletResult>;

const seen = {
  input: z.string().max(2_048).describe('As sent.'),
  normalized: z
    .string()
    .max(2_048)
    .nullable()
    .describe('In its one canonical form; null for a number of no known country.'),
};

/** The detected type and the answer of its check (decisions 3.3). */
export const Analysis = z.discriminatedUnion('detectedType', [
  CheckResult.extend({ detectedType: z.enum(['ip', 'domain', 'url', 'hash']), ...seen }),
  EmailReport.extend({ detectedType: z.literal('email'), ...seen }),
  PhoneResult.extend({ detectedType: z.literal('phone'), ...seen }),
  WalletResult.extend({ detectedType: z.literal('crypto'), ...seen }),
]);
export type Analysis = z.infer<typeof Analysis>;
