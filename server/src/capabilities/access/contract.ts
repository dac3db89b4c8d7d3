import { z } from 'zod';
import { KEY_HEADER } from '#platform/http/credential-words.ts';
import { DAY_S } from '#platform/time-units.ts';
import { normalizeCidr } from './client-address.ts';

const LABEL_CHARS_MAX = 100;
const CIDRS_MAX = 50;
const CIDR_CHARS_MAX = 49;
const OVERLAP_S_MAX = DAY_S;
const KEYS_MAX = 100;

const Cidr = z
  .string()
  .max(CIDR_CHARS_MAX)
  .refine((text) => normalizeCidr(text) !== null, 'Send an address or range such as 203.0.113.0/24.')
  .meta({ examples: ['203.0.113.0/24'] });

export const CreateKeyBody = z
  .object({
    label: z.string().trim().max(LABEL_CHARS_MAX).optional().describe('What the key is for.'),
    allowedCidrs: z
      .array(Cidr)
      .max(CIDRS_MAX)
      .optional()
      .describe(
        'Addresses the key may be used from. Absent or empty: those of the key you signed in with, or from anywhere. A session of a key with a list cannot make one that reaches beyond it.',
      ),
    canSignIn: z
      .boolean()
      .optional()
      .describe('False: the pair cannot open a session, so it can never make keys. True when absent.'),
  })
  .meta({ id: 'CreateKeyBody' });

export const RotateKeyBody = z
  .object({
    overlapSeconds: z
      .int()
      .min(0)
      .max(OVERLAP_S_MAX)
      .optional()
      .describe('How long the old secret is still accepted; a day when absent, 0 ends it at once.'),
  })
  .meta({ id: 'RotateKeyBody' });

export const KeyParams = z.object({
  id: z
    .string()
    .max(64)
    .regex(/^key_[0-9A-Za-z]{1,60}$/, 'Send a key id such as key_01J….')
    .meta({ examples: ['key_01M7KJJ2X0S3CDYQZF4MSFBVG5'] }),
});

export const RevokeKeyQuery = z.object({
  keepDescendants: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'true: keys made in sessions of this key stay and count as made by the key before it. They are revoked with it otherwise. Needs a session of another key.',
    ),
});

const figure = z.int().min(0).max(1_000_000_000_000).optional();
/** Figures of one subscription that override those of its plan (foundation rule 9). */
export const LimitOverrides = z.strictObject({
  burstPerMinute: figure,
  checksPerMonth: figure,
  scansPerMonth: figure,
  bulkEntities: figure,
  orgIndicatorsPerDay: figure,
  streams: figure,
  watchPerimeters: figure,
  watchComponents: figure,
  webhooks: figure,
  watchItems: figure,
  cases: figure,
  caseEvidenceBytes: figure,
  storageBytes: figure,
});

const timestamp = z.iso.datetime();

export const ApiKey = z
  .object({
    id: z.string(),
    apiKey: z.string(),
    label: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().describe('To the minute.'),
    allowedCidrs: z.array(z.string()).max(CIDRS_MAX),
    previousSecretValidUntil: timestamp
      .nullable()
      .describe('Until when the secret from before the last rotation is accepted.'),
    parentId: z
      .string()
      .nullable()
      .describe('The key whose session made this one. Revoking that key revokes this one too.'),
    canSignIn: z.boolean().describe('Whether the pair can open a session.'),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

const ListedApiKey = ApiKey.extend({
  openSessions: z
    .int()
    .min(0)
    .describe('Sessions that this pair opened and that have not ended. They end with the key.'),
  opensThisSession: z.boolean().describe('Whether this pair opened the session that asks.'),
}).meta({ id: 'ListedApiKey' });

export const ApiKeyList = z.object({ keys: z.array(ListedApiKey).max(KEYS_MAX) }).meta({ id: 'ApiKeyList' });
export type ApiKeyList = z.infer<typeof ApiKeyList>;

export const RevealedApiKey = ApiKey.extend({
  apiSecret: z.string().describe('Shown this once and stored nowhere.'),
  authHeader: z.string().describe(`The header to send: ${KEY_HEADER}.`),
}).meta({ id: 'RevealedApiKey' });
export type RevealedApiKey = z.infer<typeof RevealedApiKey>;

/** Longer than any valid pair; a longer text gets the same answer as a wrong pair. */
const PAIR_CHARS_MAX = 200;

export const SignInBody = z
  .object({
    apiKey: z
      .string()
      .trim()
      .min(1)
      .max(PAIR_CHARS_MAX)
      .describe('The public half of a key pair.')
      .meta({ examples: ['ak_AnExampleOfAKeyWith24Char'] }),
    apiSecret: z
      .string()
      .trim()
      .min(1)
      .max(PAIR_CHARS_MAX)
      .describe('The secret half. Used for verification only: it is neither stored nor logged.')
      .meta({ examples: ['sk_AnExampleOfASecretThatWorksNowhere00000000'] }),
  })
  .meta({ id: 'SignInBody' });

export const SignedIn = z
  .object({
    signedIn: z.literal(true),
    account: z.object({
      id: z.string().describe('What pays: a user, or an organization.'),
      userId: z.string(),
      email: z.string(),
    }),
    organization: z.object({ id: z.string(), name: z.string() }).nullable(),
    role: z.string().nullable().describe('In the organization; null where there is none.'),
    plan: z.string(),
    expiresAt: timestamp.describe('The session ends then at the latest, and after 12 hours without use.'),
    usage: z
      .object({
        used: z.int().min(0),
        limit: z.int().min(0),
        resetsAt: timestamp,
      })
      .describe('Checks of this month. Asking costs nothing.'),
    bulkEntitiesMax: z.int().min(0).describe('How many entities one bulk check may hold.'),
  })
  .meta({ id: 'SignedIn' });
export type SignedIn = z.infer<typeof SignedIn>;

export const SignedOut = z.object({ signedIn: z.literal(false) }).meta({ id: 'SignedOut' });
export const SessionState = z.union([SignedIn, SignedOut]);
