import { z } from 'zod';
import { PREFIX_DIGITS, SUFFIX_DIGITS } from './bucket.ts';
import { HASH_DIGITS, HASH_TYPES, type HashType } from './corpus-files.ts';

/** Every sentence here is fixed: a message must not repeat a hash, or a password that was sent by mistake. */
const hashOf = (digits: string, pattern: RegExp, max: number) =>
  z
    .string({ error: `Send ${digits} hexadecimal digits.` })
    .max(max, { error: `Send ${digits} hexadecimal digits.` })
    .regex(pattern, {
      error: `Send ${digits} hexadecimal digits.`,
    });

const ONE_OF = 'Send exactly one of sha1, ntlm and hash.';
const NO_PASSWORD = 'Never send a password. Send its SHA-1 or NTLM hash.';
const FIELDS = ['sha1', 'ntlm', 'hash'] as const;
const SENTENCE = {
  prefix: 'Send the first five hexadecimal digits of the hash.',
  mode: 'Send sha1 or ntlm.',
};

/** Exactly one hash (contract 4.10). */
export const PasswordBody = z
  .object(
    {
      sha1: hashOf('40', /^[0-9a-fA-F]{40}$/, HASH_DIGITS.sha1)
        .optional()
        .describe('The SHA-1 hash of the password, 40 hexadecimal digits.'),
      ntlm: hashOf('32', /^[0-9a-fA-F]{32}$/, HASH_DIGITS.ntlm)
        .optional()
        .describe('The NTLM hash: MD4 of the password in UTF-16LE, 32 hexadecimal digits.'),
      hash: hashOf('40 (SHA-1) or 32 (NTLM)', /^(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{32})$/, HASH_DIGITS.sha1)
        .optional()
        .describe('Either; its length decides.'),
      password: z.never({ error: NO_PASSWORD }).optional().describe('Refused with 400.'),
    },
    { error: 'Send a JSON object with one hash.' },
  )
  .refine((body) => FIELDS.filter((field) => body[field] !== undefined).length === 1, { error: ONE_OF })
  .transform(({ sha1, ntlm, hash }): { readonly type: HashType; readonly value: string } => {
    const value = sha1 ?? ntlm ?? hash ?? '';
    return { type: value.length === HASH_DIGITS.sha1 ? 'sha1' : 'ntlm', value };
  });
export type PasswordBody = z.output<typeof PasswordBody>;

export const RangeParams = z.object({
  prefix: z
    .string({ error: SENTENCE.prefix })
    .max(PREFIX_DIGITS, { error: SENTENCE.prefix })
    .regex(/^[0-9a-fA-F]{5}$/, { error: SENTENCE.prefix })
    .describe('The first five hexadecimal digits of the hash.'),
});

export const RangeQuery = z.object({
  mode: z
    .enum(HASH_TYPES, { error: SENTENCE.mode })
    .default('sha1')
    .describe('Which hashes are meant; sha1 when absent.'),
});
export type RangeQuery = z.output<typeof RangeQuery>;

const corpusUpdatedAt = z.iso.datetime().describe('The date of the list.');
const source = z.string().describe('Whose list it is.');

export const PREVALENCES = ['rare', 'common', 'very_common'] as const;

/** The reply of POST /api/check/password (contract 4.10). */
export const PasswordVerdict = z
  .object({
    indicatorType: z.literal('password'),
    hashType: z.enum(HASH_TYPES),
    exposed: z.boolean(),
    verdict: z
      .enum(['compromised', 'not_found'])
      .describe('`not_found` says nothing about the strength of the password.'),
    count: z.int().min(0).describe('How often it was seen in breaches.'),
    prevalence: z
      .enum(PREVALENCES)
      .nullable()
      .describe(
        '`rare`: seen 1 to 9 times, `common`: 10 to 999, `very_common`: 1,000 or more; null when not found.',
      ),
    recommendation: z.string(),
    source,
    sourceUrl: z.string(),
    corpusUpdatedAt,
    apiVersion: z.literal('v2'),
  })
  .meta({ id: 'PasswordVerdict' });
export type PasswordVerdict = z.infer<typeof PasswordVerdict>;

/** A prefix of the published list has about 950 hashes, the longest 1,150. */
const ENTRIES_MAX = 100_000;

/** The reply of GET /api/pwned-passwords/range/{prefix} (contract 4.10). */
export const PasswordRange = z
  .object({
    prefix: z.string(),
    mode: z.enum(HASH_TYPES),
    suffixLength: z.literal(SUFFIX_DIGITS).describe('Digits 6 to 17 of a hash are compared.'),
    entries: z
      .array(
        z.object({
          suffix: z.string().describe('Digits 6 to 17 of a hash, in upper case.'),
          count: z.int().min(0).describe('How often it was seen; 0 in padding, which stands for no hash.'),
        }),
      )
      .max(ENTRIES_MAX)
      .describe('Ordered by suffix.'),
    source,
    corpusUpdatedAt,
  })
  .meta({ id: 'PasswordRange' });
