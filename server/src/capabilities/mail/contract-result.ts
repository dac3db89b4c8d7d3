import { z } from 'zod';
import {
  ATTACHMENT_FLAGS,
  AUTH_RESULTS,
  DETECTED_TYPES,
  ITEM_VERDICTS,
  LINK_FLAGS,
  MAIL_ACTIONS,
  MAIL_VERDICTS,
  REASON_CODES,
  SEVERITIES,
} from '#domain/mail/index.ts';

const name = z.string().max(320);
const sources = z.int().min(0).describe('Threat lists that name it.');
const origin = z
  .enum(['attached_message', 'attachment'])
  .optional()
  .describe('Absent for the message itself.');
const originName = z.string().max(255).optional();
const result = z.enum(AUTH_RESULTS).optional();

const MailReason = z
  .object({
    code: z.enum(REASON_CODES),
    severity: z.enum(SEVERITIES),
    summary: z.string().max(600),
    evidence: z.string().max(1_000).describe('Hosts and addresses are defanged.'),
  })
  .meta({ id: 'MailReason' });

const MailSender = z
  .object({
    address: name.nullable(),
    domain: name.nullable(),
    displayName: z.string().max(300).nullable(),
    verdict: z.enum(ITEM_VERDICTS),
    freeProvider: z.boolean(),
    disposable: z.boolean(),
    mx: z.boolean().nullable().describe('Null: no name server was asked or none answered.'),
    returnPath: name.nullable(),
    replyTo: z.array(name).max(20),
    posture: z
      .object({
        grade: z.enum(['A', 'B', 'C', 'D', 'E', 'F']),
        hasSpf: z.boolean(),
        hasDmarc: z.boolean(),
        hasMx: z.boolean(),
        dmarcPolicy: z.enum(['none', 'quarantine', 'reject']).nullable(),
        spfAll: z.string().max(8).nullable(),
        spoofable: z.boolean().describe('No DMARC policy keeps others from using the domain.'),
      })
      .nullable(),
  })
  .meta({ id: 'MailSender' });

const MailLink = z
  .object({
    url: z.string().max(2_048),
    host: name,
    verdict: z.enum(ITEM_VERDICTS),
    sources,
    flags: z.array(z.enum(LINK_FLAGS)).max(LINK_FLAGS.length),
    anchorText: z.string().max(300).nullable(),
    shownDomain: name.nullable(),
    origin,
    originName,
  })
  .meta({ id: 'MailLink' });

const MailAttachment = z
  .object({
    filename: z.string().max(255).nullable(),
    contentType: z.string().max(255).nullable(),
    size: z.int().min(0),
    inline: z.boolean(),
    digests: z.object({
      sha256: z.string().max(64).optional(),
      sha1: z.string().max(40).optional(),
      md5: z.string().max(32).optional(),
    }),
    verdict: z.enum(ITEM_VERDICTS),
    knownGood: z.boolean().describe('A list of known software holds it.'),
    family: z.string().max(200).nullable(),
    flags: z.array(z.enum(ATTACHMENT_FLAGS)).max(ATTACHMENT_FLAGS.length),
    detectedType: z.enum(DETECTED_TYPES).nullable().describe('By its bytes; null in the structured form.'),
    origin,
    originName,
  })
  .meta({ id: 'MailAttachment' });

const MailContact = z
  .object({
    value: name,
    kind: z.enum(['email', 'phone', 'crypto']),
    verdict: z.enum(ITEM_VERDICTS),
    sources,
    origin,
    originName,
  })
  .meta({ id: 'MailContact' });

export const ScanResult = z
  .object({
    verdict: z.enum(MAIL_VERDICTS),
    recommendedAction: z
      .enum(MAIL_ACTIONS)
      .describe(
        '`deliver`: no objection from this scan. It never releases what another engine has quarantined.',
      ),
    riskScore: z.int().min(0).max(100),
    headline: z.string().max(1_000),
    reasons: z.array(MailReason).max(100).describe('Strongest first.'),
    sender: MailSender,
    authentication: z
      .object({
        status: z.enum(['trusted', 'unverified']).describe('`trusted`: from a header that you vouch for.'),
        spf: result,
        dkim: result,
        dmarc: result,
        headerFrom: name.optional(),
      })
      .meta({ id: 'MailAuthentication' }),
    connectingIp: z
      .object({
        address: z.string().max(45),
        verdict: z.enum(ITEM_VERDICTS),
        sources,
        listed: z.array(z.string().max(200)).max(10),
      })
      .nullable(),
    links: z.array(MailLink).max(200),
    attachments: z.array(MailAttachment).max(50),
    contacts: z.array(MailContact).max(50),
    injection: z.object({
      score: z.number().min(0).max(1),
      families: z.array(z.string().max(40)).max(10),
      hiddenScore: z.number().min(0).max(1),
    }),
    coverage: z
      .object({
        ran: z.array(z.string().max(40)).max(30),
        skipped: z.array(z.object({ check: z.string().max(40), reason: z.string().max(200) })).max(40),
        truncated: z
          .boolean()
          .describe('A limit was reached: the message was read in part and is not clean.'),
      })
      .meta({ id: 'MailCoverage' }),
    latencyMs: z.int().min(0),
  })
  .meta({ id: 'MailScanResult' });
export type ScanResult = z.infer<typeof ScanResult>;
