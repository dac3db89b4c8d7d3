import { z } from 'zod';
import { Evidence } from '#capabilities/check/index.ts';
import { type Email, parseIndicator } from '#domain/indicator/index.ts';

const TEXT_MAX = 2_048;
export const BRIEF_BYTES_MAX = 4_096;
export const SOURCES_MAX = 5;

/** Decisions 3.17: flat, at most 4 KB of JSON. */
export const Brief = z
  .object({
    query: z.string(),
    type: z.string().describe('ip, domain, url, hash, email or search.'),
    verdict: Evidence.shape.verdict.describe('The level, or unknown: which is never a clean verdict.'),
    headline: z.string(),
    summary: z.string(),
    riskScore: z.int().min(0).max(100).nullable(),
    riskLevel: z.string().nullable(),
    recommendedAction: Evidence.shape.recommendedAction,
    categories: z.array(z.string()),
    sources: z.array(z.string()).max(SOURCES_MAX).describe('Names of lists that name it, strongest first.'),
    reportUrl: z.string().nullable().describe('A page about it; null while this service has none.'),
  })
  .meta({ id: 'Brief' });
export type Brief = z.infer<typeof Brief>;

const asked = z.string().max(TEXT_MAX);
export const GptSearchQuery = z.object({ keywords: asked.describe('A brand or its domain.') });
export const GptEmailQuery = z
  .object({ email: asked.describe('E-mail address.') })
  .transform(({ email }, context): { readonly email: Email } => {
    const parsed = parseIndicator(email);
    if (parsed.ok && parsed.indicator.kind === 'email') return { email: parsed.indicator };
    const message = parsed.ok ? `'${email}' is no e-mail address.` : parsed.reason;
    context.addIssue({ code: 'custom', path: ['email'], message });
    return z.NEVER;
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
        'Who worded the summary. Verdict, confidence and action are never the model’s. Beyond the contract.',
      ),
  })
  .meta({ id: 'Analysis' });
export type Analysis = z.infer<typeof Analysis>;
