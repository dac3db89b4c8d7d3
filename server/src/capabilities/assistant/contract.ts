import { z } from 'zod';
import { Evidence } from '#capabilities/check/index.ts';
import { readEmail } from '#domain/contact/index.ts';
import type { Email } from '#domain/indicator/index.ts';

const TEXT_MAX = 2_048;
export const BRIEF_BYTES_MAX = 4_096;
export const SOURCES_MAX = 5;

/** The answer for assistants: a flat object of at most 4 KB of JSON (decisions 3.17). */
export const Brief = z
  .object({
    query: z.string(),
    type: z.string().describe('ip, domain, url, hash, email, search or ransomware.'),
    verdict: Evidence.shape.verdict.describe('The level, or unknown: which is never a clean verdict.'),
    headline: z.string(),
    summary: z.string(),
    riskScore: z.int().min(0).max(100).nullable(),
    riskLevel: z.string().nullable().describe('inconclusive beside an unknown verdict, for any score.'),
    recommendedAction: Evidence.shape.recommendedAction,
    categories: z.array(z.string()),
    malwareFamily: z.string().optional().describe('As in /check.'),
    sources: z.array(z.string()).max(SOURCES_MAX).describe('Names of lists that name it, strongest first.'),
    reportUrl: z.string().nullable().describe('A page about it; null while this service has none.'),
  })
  .meta({ id: 'Brief' });
export type Brief = z.infer<typeof Brief>;

export const GptSearchQuery = z.object({
  keywords: z
    .string({ error: 'Name a brand or its domain, such as paypal.' })
    .max(TEXT_MAX)
    .describe('A brand or its domain.')
    .meta({ examples: ['paypal'] }),
});
export const GptEmailQuery = z.object({
  email: z
    .string({ error: 'Send an e-mail address, as in name@example.com.' })
    .max(TEXT_MAX)
    .describe('E-mail address.')
    .meta({ examples: ['someone@example.com'] })
    .transform((text, context): Email => {
      const read = readEmail(text);
      if (read.ok) return read.email;
      context.addIssue({ code: 'custom', message: read.reason });
      return z.NEVER;
    }),
});

export const GptRansomwareQuery = z.object({
  query: z
    .string()
    .max(TEXT_MAX)
    .optional()
    .transform((text) => (text === undefined || text.trim() === '' ? null : text.trim()))
    .describe('Domain, IP address, hash, group or part of a name; without it, statistics.')
    .meta({ examples: ['example.com'] }),
});

export const Analysis = z
  .object({
    summary: z.string(),
    confidence: z
      .object({ score: z.int().min(0).max(100), level: z.enum(['low', 'medium', 'high']) })
      .nullable(),
    recommendedAction: Evidence.shape.recommendedAction,
    writtenBy: z
      .enum(['rules', 'model'])
      .describe(
        'The author of the summary. Verdict, confidence and action are never the model’s. Beyond the contract.',
      ),
  })
  .meta({ id: 'Analysis' });
export type Analysis = z.infer<typeof Analysis>;
