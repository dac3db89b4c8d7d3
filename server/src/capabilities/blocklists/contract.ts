import { z } from 'zod';
import { formatNames } from './formats/formats.ts';
import { LIST_NAMES } from './list-names.ts';
import { PULL_KINDS } from './pull-store.ts';

export const DownloadParams = z.object({
  filename: z
    .string()
    .max(256)
    .describe(`One of ${LIST_NAMES.join(', ')}. Any other answers 404.`),
});

const SCORES = ['35', '60', '85'] as const;
const SIZES = ['1000', '5000', '10000', '50000', '100000', '150000', '300000'] as const;

export const DownloadQuery = z.object({
  format: z
    .enum(formatNames() as [string, ...string[]])
    .optional()
    .describe('Extension: the format of a program. Default: text, one entry on each line.'),
  min_score: z.enum(SCORES).optional().describe('Extension: leaves out entries with a lower score.'),
  max_entries: z
    .enum(SIZES)
    .optional()
    .describe('Extension: the highest scores, for devices that take no more; ties by value.'),
  annotate: z
    .enum(['0', '1'])
    .optional()
    .describe('Extension: 1 adds score, family and reason as comments, where the format has comments.'),
  apply: z
    .literal('org')
    .optional()
    .describe(
      'Extension: leaves out what your organization allows; a listed range that holds an allowed address is split around it. 400 for a caller without an organization.',
    ),
  view: z
    .literal('withheld')
    .optional()
    .describe(
      'Extension: a CSV of what a guard keeps from the list, with the reason, instead of the list. Not with another parameter.',
    ),
  since: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Extension: the ETag of an earlier answer. Lines that begin with + and - instead of the list, if that version is at most seven days old and of the same variant; the whole list otherwise.',
    ),
});
export type DownloadQuery = z.output<typeof DownloadQuery>;

export const ListText = z
  .string()
  .max(1_073_741_824)
  .describe('One entry on each line, or the chosen format.');

const Timestamp = z.iso.datetime().max(40).nullable();
const ListStatistics = z.object({
  count: z.int().min(0).describe('Lines of the full list.'),
  lastUpdated: Timestamp.describe('When its lines last changed; null before the first build.'),
  last_updated: Timestamp.describe('The same.'),
  withheld: z
    .int()
    .min(0)
    .describe(
      'Entries that a guard keeps out, a service range or a popular name for example; `view=withheld` names them.',
    ),
  excluded: z
    .object({
      belowScore: z.int().min(0).describe('The score is below 35, or below 85 for the critical list.'),
      license: z
        .int()
        .min(0)
        .describe('Only sources list them that may not be passed on, or that are not exported.'),
      allowlisted: z
        .int()
        .min(0)
        .describe('An allowlist contains them, or a service range or a popular name.'),
    })
    .nullable()
    .describe(
      'Entries that a source lists and that were left out, by reason; null before they were counted. Beyond the contract.',
    ),
  audience: z.enum(['public', 'internal']),
});
export const BlocklistStats = z.object(
  Object.fromEntries(LIST_NAMES.map((name) => [name, ListStatistics])) as Record<
    (typeof LIST_NAMES)[number],
    typeof ListStatistics
  >,
);
export type BlocklistStats = z.output<typeof BlocklistStats>;

export const PullsQuery = z.object({
  kind: z.enum(PULL_KINDS).optional().describe('What was pulled; all kinds when absent.'),
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional()
    .describe('`next` of the page before.'),
  limit: z.coerce.number().int().min(1).max(100).default(25).describe('Rows of a page.'),
});
const PullRecord = z.object({
  kind: z.enum(PULL_KINDS),
  key: z.object({ id: z.string().max(64), label: z.string().max(100).nullable() }),
  list: z.string().max(64).describe('The list, or the TAXII collection.'),
  variant: z.enum(['sample', 'full']),
  at: z.iso.datetime().max(40),
  status: z.int(),
  bytes: z.number(),
  objects: z.int().nullable().describe('Objects of the page; null for a list.'),
  more: z.boolean().nullable().describe('Whether another page followed; null for a list.'),
  agent: z.string().max(200).nullable(),
});
export const PullList = z.object({
  pulls: z.array(PullRecord).max(100),
  next: z.string().max(20).nullable().describe('`before` of the next page; null on the last one.'),
});
export type PullList = z.output<typeof PullList>;
