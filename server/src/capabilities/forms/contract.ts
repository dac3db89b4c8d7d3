import { z } from 'zod';
import { readAddress } from '#capabilities/letters/index.ts';

const NAME_MAX = 200;
const MESSAGE_MAX = 5_000;
const ADDRESS_MAX = 254;
const PAGE_MAX = 2_048;
const BAIT_MAX = 32_768;
const TOKEN_MAX = 512;

/** jsonb takes neither U+0000 nor half of a surrogate pair, and a terminal should get no other control character. */
const readable = (text: string): string =>
  text.toWellFormed().replaceAll(/[\p{Cc}]/gu, (char) => (char === '\n' || char === '\t' ? char : ''));

const line = (max: number) => z.string().trim().min(1).max(max).transform(readable);
const email = z
  .string()
  .trim()
  .max(ADDRESS_MAX)
  .refine((text) => readAddress(text) !== null, 'Send an address such as name@example.com.')
  .meta({ examples: ['name@example.com'] });
/** People do not see this field, so only programs fill it in; such a form is dropped (decisions 3.16). */
const website = z.string().max(BAIT_MAX).optional().describe('Leave it empty: a form with it is dropped.');

export const ContactBody = z
  .object({
    name: line(NAME_MAX).meta({ examples: ['Ada Example'] }),
    email,
    subject: line(NAME_MAX).optional(),
    message: line(MESSAGE_MAX),
    website,
  })
  .meta({ id: 'ContactBody' });

export const FeedbackBody = z
  .object({
    message: line(MESSAGE_MAX),
    rating: z.int().min(1).max(5).optional(),
    page: line(PAGE_MAX).optional().describe('The page that the feedback is about.'),
    email: email.optional(),
    website,
  })
  .meta({ id: 'FeedbackBody' });

export const NewsletterBody = z.object({ email, website }).meta({ id: 'NewsletterBody' });

export const LicenseBody = z
  .object({
    name: line(NAME_MAX),
    email,
    company: line(NAME_MAX),
    useCase: line(MESSAGE_MAX).describe('What the licence is for.'),
    website,
  })
  .meta({ id: 'LicenseBody' });

export const FormReply = z.object({ message: z.string() }).meta({ id: 'FormReply' });
export type FormReply = z.output<typeof FormReply>;

export const TokenQuery = z.object({
  token: z.string().min(1).max(TOKEN_MAX).describe('From the link of a letter.'),
});
export const TokenBody = z
  .object({ token: z.string().min(1).max(TOKEN_MAX).describe('From the link of a letter.') })
  .meta({ id: 'TokenBody' });

/** What a mail program sends for its unsubscribe button (RFC 8058), and the button of the page as well. */
export const OneClickBody = z
  .object({ 'List-Unsubscribe': z.string().max(40).optional().describe('One-Click') })
  .optional();

export const FORMS = ['contact', 'feedback', 'license'] as const;
export type Form = (typeof FORMS)[number];
