import { z } from 'zod';

const listOf = (text: string): string[] =>
  text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));

export const WEBHOOK_ENVIRONMENT = {
  WEBHOOK_VERIFICATIONS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(60)
    .describe(
      'Challenges that one account may have sent in an hour to hosts which have not agreed to get its webhooks yet.',
    ),
  WEBHOOK_ALLOW: z
    .string()
    .max(2_048)
    .default('')
    .transform(listOf)
    .refine((list) => list.every((each) => /^\S+\/\d+:\d+$/.test(each)), 'expected ADDRESS/BITS:PORT')
    .describe(
      'Addresses of test receivers that webhooks may reach, as ADDRESS/BITS:PORT, comma-separated. Honoured only when ASSAY_ENV=test.',
    ),
  WEBHOOK_CA_FILE: z
    .string()
    .max(1_024)
    .optional()
    .describe(
      'PEM file of a further authority that receivers of webhooks may be signed by. Honoured only when ASSAY_ENV=test.',
    ),
} as const;
