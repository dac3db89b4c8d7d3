import { z } from 'zod';
import { GATE_LIMITS, GATE_MODES, GATE_VERDICTS, LINK_VERDICTS } from '#domain/gate/index.ts';
import { NOT_A_WEB_ADDRESS, readSource } from './read-source.ts';

/** Four times the content limit, because JSON escapes make the content longer. */
export const CONTENT_BODY_MAX = 4 * GATE_LIMITS.contentBytesMax;
const URL_MAX = 2_048;

/** Read in a thread, never on the event loop. */
export const ContentBody = z
  .object({
    content: z
      .string()
      .min(1)
      .max(GATE_LIMITS.contentBytesMax)
      .describe('A text or a page that a program is about to read, up to 1 MiB.'),
    source_url: z.string().min(1).max(URL_MAX).optional().describe('Where the content came from.'),
    sourceUrl: z.string().min(1).max(URL_MAX).optional().describe('The same in another spelling.'),
    mode: z
      .enum(GATE_MODES)
      .optional()
      .describe(
        '`fast`, when absent, reads the text as it stands. `thorough` also reads what a page hides and what is in base64.',
      ),
  })
  .meta({ id: 'GateScanBody', examples: [{ content: 'Read more at https://example.com/news.' }] });

const GateLink = z
  .object({
    url: z.string(),
    entity: z.string().describe('The host of the link.'),
    verdict: z.enum(LINK_VERDICTS),
    sources: z.int().min(0).describe('Threat lists that name the link or its host.'),
  })
  .meta({ id: 'GateLink' });

const InjectionSpan = z
  .object({ start: z.int(), end: z.int(), family: z.string() })
  .meta({ id: 'GateInjectionSpan' });

export const GateScan = z
  .object({
    verdict: z.enum(GATE_VERDICTS).describe('`allow` means that this scan has no objection, and no more.'),
    injection: z.object({
      score: z.number().min(0).max(1),
      families: z.array(z.string()),
      spans: z.array(InjectionSpan).describe('Where they stand in the content, in UTF-16 units.'),
    }),
    links: z.array(GateLink),
    links_truncated: z.boolean(),
    mode: z.enum(GATE_MODES),
    source: GateLink.nullable(),
    sanitized_content: z
      .string()
      .nullable()
      .describe(
        'The content without the sentences and malicious links that were found; null where nothing was removed.',
      ),
    latency_ms: z.int().min(0),
  })
  .meta({ id: 'GateScan' });
export type GateScan = z.infer<typeof GateScan>;

export const GateUrlQuery = z.object({
  u: z
    .string()
    .min(1)
    .max(URL_MAX)
    .refine((text) => readSource(text) !== null, NOT_A_WEB_ADDRESS)
    .describe('The web address, as it stands in a text.'),
});

export const GateUrl = z
  .object({
    verdict: z.enum(LINK_VERDICTS),
    url: z.string(),
    entity: z.string(),
    sources: z.int().min(0),
    latency_ms: z.int().min(0),
  })
  .meta({ id: 'GateUrl' });

export const GateQuota = z
  .object({
    meter: z.literal('scans'),
    plan: z.string(),
    used: z.int().min(0),
    limit: z.int().min(0),
    remaining: z.int().min(0),
    percentage: z.number().min(0),
    periodStart: z.iso.datetime(),
    resetsAt: z.iso.datetime(),
    billingIssue: z.boolean(),
  })
  .meta({ id: 'GateQuota' });
export type GateQuota = z.infer<typeof GateQuota>;
