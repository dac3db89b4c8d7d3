import { z } from 'zod';
import { ONE_LINE } from '#domain/text/one-line.ts';

const CREDENTIAL_CHARS_MAX = 1_364;
const CLIENT_DATA_CHARS_MAX = 4_096;
const ATTESTATION_CHARS_MAX = 8_192;
const AUTHENTICATOR_DATA_CHARS_MAX = 2_048;
const SIGNATURE_CHARS_MAX = 2_048;
const USER_HANDLE_CHARS_MAX = 88;
const TRANSPORTS_MAX = 8;
const LABEL_CHARS_MAX = 60;
export const PASSKEYS_MAX = 20;
export const RECOVERY_CODES = 10;

const timestamp = z.iso.datetime();
const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, 'Send it as the browser gave it, in base64url.');

const credential = {
  id: base64url(CREDENTIAL_CHARS_MAX),
  rawId: base64url(CREDENTIAL_CHARS_MAX),
  type: z.literal('public-key'),
};
const Transport = z.string().min(1).max(20);

const EXAMPLE_ID = 'Zm91cnRlZW4gYnl0ZXM';
const EXAMPLE_CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0';

export const CreationResponse = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(CLIENT_DATA_CHARS_MAX),
      attestationObject: base64url(ATTESTATION_CHARS_MAX),
      transports: z.array(Transport).max(TRANSPORTS_MAX).optional(),
    }),
  })
  .describe('What `toJSON()` of the new credential gives in the browser.')
  .meta({
    id: 'PasskeyCreation',
    examples: [
      {
        id: EXAMPLE_ID,
        rawId: EXAMPLE_ID,
        type: 'public-key',
        response: { clientDataJSON: EXAMPLE_CLIENT_DATA, attestationObject: 'o2NmbXRkbm9uZQ' },
      },
    ],
  });
export type CreationResponse = z.infer<typeof CreationResponse>;

export const AssertionResponse = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(CLIENT_DATA_CHARS_MAX),
      authenticatorData: base64url(AUTHENTICATOR_DATA_CHARS_MAX),
      signature: base64url(SIGNATURE_CHARS_MAX),
      userHandle: base64url(USER_HANDLE_CHARS_MAX).optional(),
    }),
  })
  .describe(
    'What `toJSON()` of the credential gives in the browser, for the options of POST /api/auth/passkey/options.',
  )
  .meta({
    id: 'PasskeyAssertion',
    examples: [
      {
        id: EXAMPLE_ID,
        rawId: EXAMPLE_ID,
        type: 'public-key',
        response: { clientDataJSON: EXAMPLE_CLIENT_DATA, authenticatorData: 'AAAA', signature: 'MEUC' },
      },
    ],
  });
export type AssertionResponse = z.infer<typeof AssertionResponse>;

const TotpCode = z
  .string()
  .trim()
  .max(10)
  .transform((text) => text.replaceAll(' ', ''))
  .refine((text) => /^\d{6}$/.test(text), 'Send the six digits that the app shows.')
  .describe('The six digits of the authenticator app.')
  .meta({ examples: ['492039'] });
const RecoveryCode = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .describe('One of the recovery codes. It works once.')
  .meta({ examples: ['7hq2-m4kd-9x3t-w8vp'] });
const Ticket = z
  .string()
  .max(43)
  .regex(/^[A-Za-z0-9_-]{43}$/, 'Send the ticket of the sign-in as it came, 43 characters.')
  .meta({ examples: ['0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'] });

/** The two ways to show a factor; a request sends exactly one of them. */
export const SHOWN_FACTOR = {
  code: TotpCode.optional(),
  passkey: AssertionResponse.optional(),
} as const;

export const FactorBody = z
  .object({ ticket: Ticket, ...SHOWN_FACTOR, recoveryCode: RecoveryCode.optional() })
  .refine(
    (body) =>
      [body.code, body.passkey, body.recoveryCode].filter((shown) => shown !== undefined).length === 1,
    'Send one of code, passkey and recoveryCode.',
  )
  .meta({ id: 'FactorBody' });
export const PasskeySignInBody = z.object({ passkey: AssertionResponse }).meta({ id: 'PasskeySignInBody' });
export const NewPasskeyBody = z
  .object({
    label: z
      .string()
      .trim()
      .min(1)
      .max(LABEL_CHARS_MAX)
      .regex(ONE_LINE, 'Send a label without line breaks.')
      .optional()
      .describe('How you will recognize it.')
      .meta({ examples: ['Laptop'] }),
    passkey: CreationResponse,
  })
  .meta({ id: 'NewPasskeyBody' });
export const TotpConfirmBody = z.object({ code: TotpCode }).meta({ id: 'TotpConfirmBody' });

export const PasskeyParams = z.object({
  id: z
    .string()
    .max(64)
    .regex(/^psk_[0-9A-Za-z]{1,60}$/, 'Send a passkey id such as psk_01J….')
    .meta({ examples: ['psk_01M7KJJ2X0S3CDYQZF4MSFBVG5'] }),
});

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).max(TRANSPORTS_MAX),
});

export const CreationOptions = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })).max(10),
    timeout: z.int(),
    attestation: z.literal('none'),
    excludeCredentials: z.array(Descriptor).max(PASSKEYS_MAX),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
  })
  .describe('For `PublicKeyCredential.parseCreationOptionsFromJSON()` in the browser.')
  .meta({ id: 'PasskeyCreationOptions' });
export type CreationOptions = z.infer<typeof CreationOptions>;

export const AssertionOptions = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
    allowCredentials: z.array(Descriptor).max(0).describe('Empty: the authenticator offers its own.'),
  })
  .describe('For `PublicKeyCredential.parseRequestOptionsFromJSON()` in the browser.')
  .meta({ id: 'PasskeyRequestOptions' });
export type AssertionOptions = z.infer<typeof AssertionOptions>;

export const Passkey = z
  .object({
    id: z.string(),
    label: z.string(),
    isSynced: z.boolean().describe('Whether it is on several devices of yours.'),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.infer<typeof Passkey>;

export const FactorList = z
  .object({
    passkeys: z.array(Passkey).max(PASSKEYS_MAX),
    hasTotp: z.boolean().describe('Whether codes of an authenticator app are set up and confirmed.'),
    recoveryCodesLeft: z.int().min(0),
  })
  .meta({ id: 'FactorList' });
export type FactorList = z.infer<typeof FactorList>;

export const NewTotp = z
  .object({
    secret: z.string().describe('For typing into the app. Shown this once.'),
    uri: z.string().describe('For a QR code.'),
  })
  .meta({ id: 'NewTotp' });
export type NewTotp = z.infer<typeof NewTotp>;

export const RecoveryCodes = z
  .object({
    codes: z
      .array(z.string())
      .max(RECOVERY_CODES)
      .describe('Shown this once. Each works once, in place of the second factor.'),
  })
  .meta({ id: 'RecoveryCodes' });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

export const FACTOR_NAMES = ['totp', 'passkey', 'recovery'] as const;
export type FactorName = (typeof FACTOR_NAMES)[number];

export const FactorNeeded = z
  .object({
    signedIn: z.literal(false),
    factorNeeded: z.array(z.enum(FACTOR_NAMES)).max(FACTOR_NAMES.length).describe('Any one of them.'),
    ticket: z.string().describe('For POST /api/auth/factor. It opens one session.'),
    expiresAt: timestamp,
  })
  .meta({ id: 'FactorNeeded' });
export type FactorNeeded = z.infer<typeof FactorNeeded>;
