import { z } from 'zod';
import { Email, Token } from '#capabilities/accounts/index.ts';
import { readEmailDomain } from '#domain/sso/index.ts';

const ISSUER_CHARS_MAX = 512;
const CLIENT_ID_CHARS_MAX = 255;
const SECRET_CHARS_MAX = 1_024;
const CODE_CHARS_MAX = 4_096;
const timestamp = z.iso.datetime();

export const SsoBody = z
  .object({
    emailDomain: z
      .string()
      .max(253)
      .refine((text) => readEmailDomain(text) !== null, 'Send a domain of your own such as example.com.')
      .describe('The addresses of your members end with it. International names in their ASCII form.')
      .meta({ examples: ['example.com'] }),
    issuerUrl: z
      .url({ protocol: /^https$/ })
      .max(ISSUER_CHARS_MAX)
      .refine(
        (text) => /^https:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/.test(text),
        'Send an https URL without a password, a query or a fragment.',
      )
      .describe('The issuer exactly as its discovery document names it.')
      .meta({ examples: ['https://idp.example.com/realms/staff'] }),
    clientId: z
      .string()
      .trim()
      .min(1)
      .max(CLIENT_ID_CHARS_MAX)
      .regex(/^[\x20-\x7e]+$/, 'A client id has printable ASCII characters alone.')
      .meta({ examples: ['assay'] }),
    clientSecret: z
      .string()
      .min(1)
      .max(SECRET_CHARS_MAX)
      .regex(/^[\x20-\x7e]+$/, 'A client secret has printable ASCII characters alone.')
      .nullable()
      .optional()
      .describe(
        'Absent: the stored one stays, unless the issuer or the client is another. Null: a public client without a secret.',
      ),
    enforceSso: z
      .boolean()
      .describe('People with addresses of the domain sign in with it alone. Possible after one sign-in.'),
    enabled: z.boolean().describe('Possible once the domain is proven.'),
  })
  .meta({ id: 'SsoBody' });

const SsoConnection = z
  .object({
    emailDomain: z.string(),
    issuerUrl: z.string(),
    clientId: z.string(),
    hasClientSecret: z.boolean().describe('The secret itself is never shown.'),
    enforceSso: z.boolean(),
    enabled: z.boolean(),
    callbackUrl: z.string().describe('The redirect URI to register with the identity provider.'),
    domainProof: z
      .object({ name: z.string(), value: z.string(), provenAt: timestamp.nullable() })
      .describe('The TXT record that proves the domain. Keep it: it is looked up every day.'),
    lastSignInAt: timestamp.nullable().describe('The last sign-in with these settings.'),
  })
  .meta({ id: 'SsoConnection' });

export const SsoSettings = z
  .object({ connection: SsoConnection.nullable().describe('Null where single sign-on is not set up.') })
  .meta({ id: 'SsoSettings' });
export type SsoSettings = z.infer<typeof SsoSettings>;

export const LookupBody = z.object({ email: Email }).meta({ id: 'SsoLookupBody' });
export const LookupAnswer = z
  .union([
    z.object({ found: z.literal(true), organizationId: z.string(), domain: z.string() }),
    z.object({ found: z.literal(false) }),
  ])
  .meta({ id: 'SsoLookup' });
export type LookupAnswer = z.infer<typeof LookupAnswer>;

export const StartQuery = z.object({
  orgId: z
    .string()
    .max(64)
    .regex(/^org_[0-9A-Za-z]{1,60}$/, 'Send the organizationId of POST /api/auth/sso/lookup.')
    .describe('The organizationId of POST /api/auth/sso/lookup.')
    .meta({ examples: ['org_01M7KJEQVBSG58B439NJX31902'] }),
  fresh: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: the provider is to ask for the password again, which counts as a recent proof.'),
});

/** The parameters with which the provider sends the browser back; they are checked against the browser's cookie. */
export const CallbackQuery = z.object({
  code: z.string().max(CODE_CHARS_MAX).optional(),
  state: z.string().max(CODE_CHARS_MAX).optional(),
  iss: z.string().max(ISSUER_CHARS_MAX).optional(),
  error: z.string().max(CODE_CHARS_MAX).optional(),
});

export const SsoSessionBody = z
  .object({ token: Token.describe('From the address of the page, after #token=.') })
  .meta({ id: 'SsoSessionBody' });
