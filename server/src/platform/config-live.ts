import { isIP } from 'node:net';
import { z } from 'zod';

/** The live providers. All are off by default, so that a new installation sends no indicator to anyone (O80). */
export const LIVE_NAMES = [
  'dns',
  'rdap',
  'tls',
  'ct',
  'internetdb',
  'otx',
  'scanner',
  'web',
  'tenant',
  'intelowl',
] as const;
export type LiveName = (typeof LIVE_NAMES)[number];
const LIVE_DEFAULT = 'none';

const listOf = (text: string): string[] =>
  text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
/** `none` and `all` stand alone; other words are checked against LIVE_NAMES. */
function namedProviders(text: string): string[] {
  const words = listOf(text);
  if (words.length !== 1) return words;
  if (words[0] === 'none') return [];
  return words[0] === 'all' ? [...LIVE_NAMES] : words;
}
const serviceUrl = (standard: string, what: string) =>
  z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .default(standard)
    .describe(what);
const optionalUrl = (what: string) =>
  z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .optional()
    .describe(what);
const token = (what: string) =>
  z
    .string()
    .max(512)
    .regex(/^[\x21-\x7e]+$/, 'expected printable characters without spaces')
    .optional()
    .describe(what);

export const LIVE_ENVIRONMENT = {
  LIVE_PROVIDERS: z
    .string()
    .max(512)
    .default(LIVE_DEFAULT)
    .transform(namedProviders)
    .pipe(
      z.array(z.enum(LIVE_NAMES, `expected none, all, or any of ${LIVE_NAMES.join(', ')}, comma-separated`)),
    )
    .describe(
      `Outside services that learn which indicators are checked: none, all, or any of ${LIVE_NAMES.join(', ')}, comma-separated. tls and web connect to the checked host itself.`,
    ),
  LIVE_BUDGET_MS: z.coerce
    .number()
    .int()
    .min(50)
    .max(2_900)
    .default(250)
    .describe(
      'How many milliseconds a standard check waits for all live lookups together. Later answers are kept for the next check.',
    ),
  DNS_SERVERS: z
    .string()
    .max(1_024)
    .default('')
    .transform(listOf)
    .refine(
      (list) => list.every((each) => isIP(each) !== 0 || /^[\d.]+:\d+$|^\[[\da-f:]+\]:\d+$/i.test(each)),
      'expected addresses such as 9.9.9.9 or 127.0.0.1:5353',
    )
    .describe("Name servers to ask, comma-separated. Empty: the system's."),
  OUTBOUND_ALLOW: z
    .string()
    .max(2_048)
    .default('')
    .transform(listOf)
    .refine((list) => list.every((each) => /^\S+\/\d+:\d+$/.test(each)), 'expected ADDRESS/BITS:PORT')
    .describe(
      'Private addresses that the URLs of this section may reach, such as your own IntelOwl or model, as ADDRESS/BITS:PORT.',
    ),
  RDAP_BOOTSTRAP_URL: serviceUrl('https://data.iana.org/rdap/', 'Folder of the IANA bootstrap files.'),
  WHOIS_ROOT: z
    .string()
    .max(255)
    .regex(/^[\w.-]+(:\d+)?$/)
    .default('whois.iana.org')
    .describe('Where a WHOIS referral starts (port 43), for registries without RDAP.'),
  CT_URL: serviceUrl('https://crt.sh/', 'Certificate transparency search that speaks the JSON of crt.sh.'),
  INTERNETDB_URL: serviceUrl(
    'https://internetdb.shodan.io/',
    'Open ports and known vulnerabilities by address.',
  ),
  OTX_URL: serviceUrl('https://otx.alienvault.com/', 'Community intelligence in the shape of the OTX API.'),
  OTX_KEY: token('Key of the OTX API. Without it community intelligence is missing.'),
  SCANNER_URL: serviceUrl('https://safebrowsing.googleapis.com/', 'Scanner of the Safe Browsing type.'),
  SCANNER_KEY: token('Key of the scanner. Without it no scanner is queried.'),
  TENANT_URL: serviceUrl('https://login.microsoftonline.com/', 'Where Microsoft tenants are looked up.'),
  INTELOWL_URL: optionalUrl('Your IntelOwl. Without it /check/intelowl answers 503.'),
  INTELOWL_TOKEN: token('Token of your IntelOwl.'),
  AI_URL: optionalUrl(
    'OpenAI-compatible model that words /ai-analysis. Default: none; the text is made here.',
  ),
  AI_KEY: token('Key of the model.'),
  AI_MODEL: z.string().max(200).default('default').describe('Name of the model.'),
} as const;
