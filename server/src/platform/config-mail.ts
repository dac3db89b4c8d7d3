import { z } from 'zod';

/** `name@example.com` or `Some name <name@example.com>`, printable ASCII: a line break would add a header. */
const MAILBOX =
  /^(?:[\x20-\x3b=\x3f-\x7e]{1,100} <[^\s<>"@]{1,64}@[a-zA-Z0-9.-]{1,253}>|[^\s<>"@]{1,64}@[a-zA-Z0-9.-]{1,253})$/;
const ADDRESS = /^[^\s<>"@]{1,64}@[a-zA-Z0-9.-]{1,253}$/;

export const MAIL_ENVIRONMENT = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .max(2_048)
    .refine((url) => (URL.parse(url)?.hostname ?? '') !== '', 'expected a host')
    .optional()
    .describe(
      'Mail server for letters to people: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465. Reserved characters of the password are percent-encoded. Without it no email is sent, and what needs one answers 409.',
    ),
  MAIL_FROM: z
    .string()
    .max(400)
    .regex(MAILBOX, 'expected name@example.com or "Some name <name@example.com>"')
    .optional()
    .describe('Sender of letters, e.g. "Assay <no-reply@example.com>". Required with SMTP_URL.'),
  MAIL_CA_FILE: z
    .string()
    .max(1_024)
    .optional()
    .describe(
      'PEM file of a further authority that the mail server may be signed by. Honoured only when ASSAY_ENV=test.',
    ),
  FORMS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(5)
    .describe('Public forms sent from one client address within an hour, all forms together.'),
  FORMS_KEPT_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(90)
    .describe('After this many days an entry of a public form is erased.'),
  FORMS_TO: z
    .string()
    .max(320)
    .regex(ADDRESS, 'expected name@example.com')
    .optional()
    .describe(
      'Address that is told when a public form was sent. Default: none; "admin forms list" shows them.',
    ),
} as const;

type MailSettings = { readonly SMTP_URL?: string | undefined; readonly MAIL_FROM?: string | undefined };

export const mailProblems = ({ SMTP_URL, MAIL_FROM }: MailSettings): readonly string[] =>
  SMTP_URL !== undefined && MAIL_FROM === undefined
    ? [
        'MAIL_FROM is missing; SMTP_URL needs the address that letters come from, e.g. "Assay <no-reply@example.com>"',
      ]
    : [];
