import { z } from 'zod';
import { type Domain, hostOf, parseIndicator } from '#domain/indicator/index.ts';
import { type Brand, brandOf, TECHNIQUES } from '#domain/lookalike/index.ts';

const KEYWORDS_MIN = 2;
const KEYWORDS_MAX = 128;
/** A brand without a suffix is read as a .com name (decisions 3.4). */
const DEFAULT_SUFFIX = 'com';
export const HITS_MAX = 500;

const keywords = z
  .string()
  .max(2_048)
  .describe(
    `A brand or its domain, ${KEYWORDS_MIN} to ${KEYWORDS_MAX} characters. A bare word is read as \`.${DEFAULT_SUFFIX}\`; of a URL or an e-mail address the host is taken.`,
  )
  .meta({ examples: ['paypal', 'paypal.com'] });

/**
 * Keywords come from the query string, else from the body. If both are sent, the query string wins and the
 * request is not refused (decisions 3.4).
 */
export const SearchQuery = z.object({ keywords: keywords.optional() });
export const SearchBody = z.object({ keywords: keywords.optional() }).optional();

export type Asked =
  | { readonly ok: true; readonly keywords: string; readonly domain: Domain; readonly brand: Brand }
  | { readonly ok: false; readonly reason: string };

export function readKeywords(query: z.infer<typeof SearchQuery>, body: z.infer<typeof SearchBody>): Asked {
  const given = query.keywords ?? body?.keywords;
  if (given === undefined) return refuse('Give a brand or its domain as keywords.');
  const text = given.trim();
  const { length } = Array.from(text);
  if (length < KEYWORDS_MIN || length > KEYWORDS_MAX)
    return refuse(`keywords has ${KEYWORDS_MIN} to ${KEYWORDS_MAX} characters; these are ${length}.`);
  const domain = domainOf(text);
  const brand = domain === null ? null : brandOf(domain);
  if (domain === null || brand === null)
    return refuse(`'${shown(text)}' is neither a brand, such as paypal, nor a domain, such as paypal.com.`);
  return { ok: true, keywords: text, domain, brand };
}

const refuse = (reason: string): Asked => ({ ok: false, reason });
const SHOWN_MAX = 60;
const shown = (text: string): string => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text);

/** A domain where the text is one, else its words joined, as brands register them: `Bank of America`. */
function domainOf(text: string): Domain | null {
  const words = `${text.replace(/[\s'&.,]+/g, '')}.${DEFAULT_SUFFIX}`;
  // A text with a dot and no space is meant as a domain, so it is not joined into one.
  const isName = text.includes('.') && !/\s/.test(text);
  for (const candidate of isName ? [text] : [text, words]) {
    const parsed = parseIndicator(candidate);
    const host = parsed.ok ? hostOf(parsed.indicator) : null;
    if (host?.kind === 'domain') return host;
    // The text is another indicator, such as an IP address or a hash, which is no brand.
    if (parsed.ok) return null;
  }
  return null;
}

export const SearchReply = z
  .object({
    keywords: z.string().describe('What was searched for.'),
    hits: z
      .array(z.string())
      .describe(
        `The names of \`results\`, in the same order: with \`domain:\` before each on the API host, bare below /api.`,
      ),
    total_hits: z
      .int()
      .min(0)
      .describe('How many look-alikes were found; with `truncated` there are at least as many.'),
    truncated: z.boolean().describe(`True when there are more than the ${HITS_MAX} that are shown.`),
    results: z.array(
      z.object({
        value: z.string().describe('A domain that a threat source lists now.'),
        type: z.literal('domain'),
        technique: z
          .enum([...TECHNIQUES, 'exact'])
          .describe('How it passes for the brand; `exact`: it is the name that was searched for.'),
        score: z.int().min(0).max(100).describe('Its risk score, as in /check. The highest come first.'),
        categories: z.array(z.string()).describe('What the sources that list it call it, sorted.'),
        lastSeen: z.string().describe('When a source last saw it.'),
      }),
    ),
  })
  .meta({ id: 'SearchResults' });
export type SearchReply = z.infer<typeof SearchReply>;
