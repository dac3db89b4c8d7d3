import { z } from 'zod';
import { SESSION_METHODS, SignedIn } from '#capabilities/access/index.ts';
import { FactorNeeded, SHOWN_FACTOR } from '#capabilities/factors/index.ts';
import { readAddress } from '#capabilities/letters/index.ts';
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN, readPassword } from '#domain/accounts/index.ts';
import { TOKEN_CHARS } from './tokens.ts';

const EMAIL_CHARS_MAX = 254;
/** Limit in UTF-16 units: one character may take up to four, as surrogate pairs and combining marks. */
const PASSWORD_UNITS_MAX = PASSWORD_CHARS_MAX * 4;
const SESSIONS_MAX = 200;
const ORGANIZATIONS_MAX = 200;

export const Email = z
  .string()
  .trim()
  .max(EMAIL_CHARS_MAX)
  .refine((text) => readAddress(text) !== null, 'Send an e-mail address such as name@example.com.')
  .meta({ examples: ['analyst@example.com'] });

/** The spelling of an e-mail address that is stored and compared. */
export const mailboxOf = (email: string): string => (readAddress(email) ?? email).toLowerCase();

const NewPassword = z
  .string()
  .max(PASSWORD_UNITS_MAX)
  .refine(
    (text) => readPassword(text) !== null,
    `A password has ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters.`,
  )
  .describe(
    `${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters of any kind. Refused when it is in the list of breached passwords.`,
  )
  .meta({ examples: ['a long sentence of my own'] });
const Password = z
  .string()
  .min(1)
  .max(PASSWORD_UNITS_MAX)
  .describe('Used for verification only: it is neither stored nor logged.')
  .meta({ examples: ['a long sentence of my own'] });
export const Token = z
  .string()
  .max(TOKEN_CHARS)
  .regex(/^[A-Za-z0-9_-]{43}$/, 'Send the token of the link as it came, 43 characters.')
  .describe('From the link of the letter, after #token=.')
  .meta({ examples: ['0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'] });

export const RegisterBody = z.object({ email: Email, password: NewPassword }).meta({ id: 'RegisterBody' });
export const LoginBody = z.object({ email: Email, password: Password }).meta({ id: 'LoginBody' });
export const LoginAnswer = z.union([SignedIn, FactorNeeded]);
export type LoginAnswer = z.infer<typeof LoginAnswer>;
export const VerifyBody = z
  .object({
    token: Token,
    password: Password.describe('The password that was chosen at registration.'),
  })
  .meta({ id: 'VerifyBody' });
export const MailboxBody = z.object({ email: Email }).meta({ id: 'MailboxBody' });
export const ResetBody = z.object({ token: Token, password: NewPassword }).meta({ id: 'ResetBody' });
export const ConfirmBody = z
  .object({ password: Password.optional(), ...SHOWN_FACTOR })
  .refine(
    (body) => [body.password, body.code, body.passkey].filter((shown) => shown !== undefined).length === 1,
    'Send one of password, code and passkey.',
  )
  .meta({ id: 'ConfirmBody' });
export const ClaimQuery = z.object({ token: Token });

export const Told = z.object({ message: z.string() }).meta({ id: 'Told' });
export type Told = z.infer<typeof Told>;

const timestamp = z.iso.datetime();

export const Confirmed = z
  .object({ confirmedUntil: timestamp.describe('Until then nothing has to be confirmed again.') })
  .meta({ id: 'Confirmed' });
export type Confirmed = z.infer<typeof Confirmed>;

const OpenedSession = z
  .object({
    id: z.string(),
    isCurrent: z.boolean().describe('Whether it is the session that asks.'),
    accountId: z.string().describe('The account it works for: a user, or an organization.'),
    method: z.enum(SESSION_METHODS).describe('How it was opened.'),
    factors: z.array(z.string()).max(8).describe('What was shown to open it.'),
    openedAt: timestamp,
    lastSeenAt: timestamp.describe('To the minute.'),
    expiresAt: timestamp,
    address: z.string().describe('The client address it was opened from.'),
    userAgent: z.string(),
  })
  .meta({ id: 'OpenedSession' });

export const SessionList = z
  .object({ sessions: z.array(OpenedSession).max(SESSIONS_MAX) })
  .meta({ id: 'SessionList' });
export type SessionList = z.infer<typeof SessionList>;

export const SessionParams = z.object({
  id: z
    .string()
    .max(64)
    .regex(/^ses_[0-9A-Za-z]{1,60}$/, 'Send a session id such as ses_01J….')
    .meta({ examples: ['ses_01M7KJJ2X0S3CDYQZF4MSFBVG5'] }),
});

export const SwitchBody = z
  .object({
    accountId: z
      .string()
      .max(64)
      .regex(
        /^(?:usr|org)_[0-9A-Za-z]{1,60}$/,
        'Send your user id or the id of an organization of GET /user.',
      )
      .meta({ examples: ['org_01M7KJEQVBSG58B439NJX31902'] }),
  })
  .meta({ id: 'SwitchBody' });

export const User = z
  .object({
    id: z.string(),
    email: z.string(),
    emailVerified: z.boolean().describe('Whether the owner of the mailbox has proven it.'),
    hasPassword: z.boolean(),
    isClaimed: z.boolean().describe('False for the account of an instant key that was not claimed yet.'),
    createdAt: timestamp,
    organizations: z
      .array(z.object({ id: z.string(), name: z.string(), role: z.string() }))
      .max(ORGANIZATIONS_MAX),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

const pair = {
  apiKey: z.string(),
  apiSecret: z.string().describe('Shown this once and stored nowhere.'),
  authHeader: z.string().describe('The header to send.'),
};
const Quota = z.object({ requestsPerMonth: z.int().min(0), burst: z.int().min(0).describe('A minute.') });

export const InstantKey = z
  .object({
    ...pair,
    quota: Quota,
    example: z.string().describe('A command that uses the key.'),
    account: z.object({
      id: z.string(),
      email: z.string(),
      isClaimed: z.literal(false),
      claim: z.string().describe('How the account becomes yours.'),
    }),
    docs: z.string(),
  })
  .meta({ id: 'InstantKey' });
export type InstantKey = z.infer<typeof InstantKey>;

export const ClaimedKey = z
  .object({ ...pair, quota: Quota, account: z.object({ id: z.string() }) })
  .meta({ id: 'ClaimedKey' });
export type ClaimedKey = z.infer<typeof ClaimedKey>;
