import { parseIndicator } from '#domain/indicator/index.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import { checkTarget, hostOf } from '#platform/outbound/target.ts';

const URL_MAX = 2_048;
/** The URLs that the pipeline may fetch; checked without network access, as nothing is fetched before an approval. */
const RULES = { schemes: ['https'], ports: [443, 8443] } as const;
const NOTHING_ALLOWED = { allowed: [], denied: [], own: () => new Set<string>() };

type Read = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly reason: string };

/**
 * Normalizes the URL of a list, so that a second proposal of it is recognised: host in lower case and ASCII, no
 * fragment. Addresses that are not on the public internet are refused by their text; names are resolved, and checked
 * again, when the list is fetched.
 */
export function publicHttpsUrl(text: string): Read {
  try {
    const url = checkTarget(text, RULES, NOTHING_ALLOWED);
    url.hash = '';
    if (!parseIndicator(hostOf(url)).ok)
      return { ok: false, reason: `'${hostOf(url)}' is not a name or address on the public internet.` };
    if (url.href.length > URL_MAX)
      return {
        ok: false,
        reason: `The address is longer than ${URL_MAX} characters once it is written out.`,
      };
    return { ok: true, url: url.href };
  } catch (error) {
    if (error instanceof OutboundError) return { ok: false, reason: error.message };
    throw error;
  }
}
