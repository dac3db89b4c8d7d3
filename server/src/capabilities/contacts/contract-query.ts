import { z } from 'zod';
import { EnrichmentLevel } from '#capabilities/check/index.ts';
import {
  type Detected,
  detectInput,
  INPUT_TYPES,
  type ReadablePhone,
  readEmail,
  readPhone,
  readWallet,
  type Wallet,
} from '#domain/contact/index.ts';
import type { Email } from '#domain/indicator/index.ts';

const TEXT_MAX = 2_048;
/** RFC 5321 allows addresses of 254 characters; a display name, brackets and defanging may add to them. */
const EMAIL_TEXT_MAX = 512;
const PHONE_TEXT_MAX = 128;
const ADDRESS_TEXT_MAX = 512;

/**
 * Every query is parsed in its schema, so that unreadable input is refused before a check is charged (decisions 1.4).
 */
export const EmailQuery = z.object({
  email: z
    .string({ error: 'Send an e-mail address, as in name@example.com.' })
    .max(EMAIL_TEXT_MAX)
    .describe('The address. Defanged forms are understood.')
    .meta({ examples: ['someone@example.com'] })
    .transform((text, context): Email => {
      const read = readEmail(text);
      if (read.ok) return read.email;
      context.addIssue({ code: 'custom', message: read.reason });
      return z.NEVER;
    }),
  enrichment: EnrichmentLevel.default('standard').describe(
    'Echoed as `enrichmentLevel`. `fast` queries no name server, `basic` shows cached answers.',
  ),
});
export type EmailQuery = { readonly email: Email; readonly enrichment: EnrichmentLevel };

export const PhoneQuery = z
  .object({
    phone: z
      .string({ error: 'Send a telephone number, as in %2B14155552671.' })
      .max(PHONE_TEXT_MAX)
      .describe('The number: E.164 or a common format. Encode the plus as %2B.')
      .meta({ examples: ['+14155552671'] }),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'Send two letters of ISO 3166-1, such as CH.')
      .optional()
      .describe('ISO 3166-1 country of a number written without its code. Beyond the contract.'),
  })
  .transform(({ phone, country }, context): PhoneQuery => {
    // A leading space is read as `+`: a plus that a caller did not encode arrives as a space.
    const reading = readPhone(/^ \d/.test(phone) ? `+${phone.trimStart()}` : phone, country ?? null);
    if (reading.state !== 'refused') return { input: phone.trim(), reading };
    context.addIssue({ code: 'custom', path: [reading.about], message: reading.reason });
    return z.NEVER;
  });
export type PhoneQuery = { readonly input: string; readonly reading: ReadablePhone };

export const WalletQuery = z
  .object({
    address: z
      .string({ error: 'Send a Bitcoin or Ethereum address.' })
      .max(ADDRESS_TEXT_MAX)
      .describe('A Bitcoin or Ethereum address, or one of another chain that lists name.')
      .meta({ examples: ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'] }),
  })
  .transform(({ address }, context): WalletQuery => {
    const read = readWallet(address);
    if (read.ok) return { wallet: read.wallet };
    context.addIssue({ code: 'custom', path: ['address'], message: read.reason });
    return z.NEVER;
  });
export type WalletQuery = { readonly wallet: Wallet };

const text = (what: string) =>
  z.string({ error: 'Send it as text.' }).max(TEXT_MAX).optional().describe(what);
const inputType = z.enum(INPUT_TYPES).optional();

export const AnalyzeBody = z
  .object({
    input: text('URL, domain, IP, e-mail address, phone number, file hash or crypto address. Required.').meta(
      {
        examples: ['hxxps://evil[.]example[.]com/login'],
      },
    ),
    query: text('Same as input, which wins when both are sent.'),
    input_type: inputType.describe('What the input is meant to be; 400 when it is something else.'),
    inputType: inputType.describe('Same as input_type.'),
  })
  .transform((body, context): AnalyzeBody => {
    const field = body.input === undefined ? 'query' : 'input';
    const input = body[field];
    const issue = (path: string, message: string) => {
      context.addIssue({ code: 'custom', path: [path], message });
      return z.NEVER;
    };
    if (input === undefined) return issue('input', 'Send the text to analyze.');
    const detection = detectInput(input);
    if (!detection.ok) return issue(field, detection.reason);
    const { found } = detection;
    const wanted = body.input_type ?? body.inputType ?? found.type;
    if (wanted !== found.type)
      return issue('input_type', `The input is of type ${found.type}, not ${wanted}; correct one of them.`);
    return { input: input.trim(), found };
  });
export type AnalyzeBody = { readonly input: string; readonly found: Detected };
