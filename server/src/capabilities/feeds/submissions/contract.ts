import { z } from 'zod';
import { publicHttpsUrl } from './public-url.ts';

const SOURCES_MAX = 20;
const NAME_MAX = 120;
export const URL_MAX = 2_048;

export const SUBMITTED_TYPES = ['ip', 'domain', 'url', 'hash', 'email', 'phone'] as const;
/** The categories of contract 4.6. */
export const SUBMITTED_CATEGORIES = [
  'malware',
  'phishing',
  'spam',
  'scam',
  'fraud',
  'botnet',
  'ransomware',
  'c2',
] as const;

const ListUrl = z
  .string()
  .trim()
  .max(URL_MAX)
  .describe(
    'Where the list can be fetched: an https address on the public internet, without user name or password.',
  )
  .meta({ examples: ['https://lists.example.org/phishing.txt'] })
  .transform((text, context): string => {
    const read = publicHttpsUrl(text);
    if (read.ok) return read.url;
    context.addIssue({ code: 'custom', message: read.reason });
    return z.NEVER;
  });

export const SubmitBody = z
  .object({
    sources: z
      .array(
        z.object({
          name: z
            .string()
            .trim()
            .min(1, 'Give the list a name.')
            .max(NAME_MAX)
            .meta({ examples: ['Phishing pages of our sector'] }),
          type: z.enum(SUBMITTED_TYPES).describe('What the list holds.'),
          url: ListUrl,
          category: z.enum(SUBMITTED_CATEGORIES).optional(),
        }),
      )
      .min(1, 'Send at least one source.')
      .max(SOURCES_MAX, `Send at most ${SOURCES_MAX} sources at a time.`),
  })
  .meta({ id: 'SubmitBody' });
export type SubmittedSource = z.output<typeof SubmitBody>['sources'][number];

export const SubmitReply = z
  .object({
    message: z.string(),
    submitted: z
      .int()
      .min(0)
      .describe(
        'Different addresses in the request. All of them wait for an operator or have been decided before; sending them again changes nothing.',
      ),
  })
  .meta({ id: 'SubmitReply' });

export const SUBMISSION_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

export type Submission = {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly type: (typeof SUBMITTED_TYPES)[number];
  readonly url: string;
  readonly category: string | null;
  readonly status: SubmissionStatus;
  readonly submittedAt: Date;
  readonly decidedAt: Date | null;
  readonly note: string | null;
};
