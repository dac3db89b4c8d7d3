import { z } from 'zod';
import { RISK_LEVELS } from '#domain/scoring/index.ts';
import { atMost } from '#platform/request-fields.ts';
import { DAY_MS } from '#platform/time-units.ts';

export const RESULT_BYTES_MAX = 262_144;
const VALUE_MAX = 2_048;
const NOTE_MAX = 5_000;
const TAGS_MAX = 20;
const TAG_MAX = 50;
const WORD_MAX = 60;
const SEARCH_MAX = 200;
const PAGE_MAX = 1_000_000;
const LIMIT_DEFAULT = 25;
const LIMIT_MAX = 100;

const ENTITY_TYPES = ['ip', 'domain', 'url', 'hash', 'email'] as const;
const EntityType = z.enum(ENTITY_TYPES);
export type EntityType = z.infer<typeof EntityType>;

/**
 * `malicious`: the result had no score, only a scanner's verdict. `unknown`: it has neither, or its evidence
 * says unknown.
 */
const VERDICTS = [...RISK_LEVELS, 'malicious', 'unknown'] as const;
export const Verdict = z.enum(VERDICTS);
export type Verdict = z.infer<typeof Verdict>;

/** PostgreSQL text cannot hold U+0000. */
const plain = (text: z.ZodString) =>
  text.refine((value) => !value.includes('\u0000'), 'It must not hold the character U+0000.');

export const ReadResult = z.object({
  malicious: z.boolean(),
  apiVersion: z.string().max(20),
  query: z.string().max(VALUE_MAX).optional(),
  riskScore: z
    .object({
      score: z.int().min(0).max(100),
      level: z.enum(RISK_LEVELS),
      word: plain(z.string().min(1).max(WORD_MAX)).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  evidence: z
    .object({ verdict: z.string().max(20) })
    .nullish()
    .catch(undefined),
});
export type ReadResult = z.infer<typeof ReadResult>;

export const SaveBody = z.object({
  entity: z
    .string()
    .max(VALUE_MAX)
    .optional()
    .describe("What the result is about; the result's own `query` when absent."),
  result: z
    .record(z.string().max(200), z.unknown().meta({ boundedBy: 'the size of the body, and 256 KiB' }), {
      error: 'Send the answer of /check as it came.',
    })
    .describe(
      'The answer of `GET /check` as it came, at most 256 KiB and 20 levels deep. A `pwnedPassword` block is not kept.',
    )
    .meta({ examples: [{ query: 'example.com', malicious: false, apiVersion: 'v2' }] }),
  note: plain(z.string().max(NOTE_MAX)).nullish(),
  tags: z
    .array(plain(z.string().trim().min(1).max(TAG_MAX)))
    .max(TAGS_MAX)
    .optional(),
});
export type SaveBody = z.infer<typeof SaveBody>;

const fields = {
  id: z.string(),
  userId: z.string(),
  organizationId: z.string().nullable(),
  entityType: EntityType,
  entityValue: z.string(),
  verdict: Verdict.describe(
    'The level of its score; `malicious` or `unknown` where it had none, `unknown` where its evidence says so.',
  ),
  riskScore: z.int().nullable(),
  riskLevel: z.string().nullable(),
  word: z
    .string()
    .nullable()
    .describe(
      'The word of the ladder in the result, such as "Not listed"; null where it had none. Beyond the contract.',
    ),
  note: z.string().nullable(),
  tags: z.array(z.string()),
  origin: z.enum(['client', 'server']).describe('Who sent the result: a caller, or the service itself.'),
  createdAt: z.string(),
};
export const ReportSummary = z.object(fields).meta({ id: 'ReportSummary' });
export type ReportSummary = z.infer<typeof ReportSummary>;
export const Report = z
  .object({ ...fields, result: z.record(z.string(), z.unknown()) })
  .meta({ id: 'Report' });
export type Report = z.infer<typeof Report>;
export const SavedReport = z.object({ report: Report });

export const ListQuery = z.object({
  page: atMost(PAGE_MAX, 1),
  limit: atMost(LIMIT_MAX, LIMIT_DEFAULT).describe('At most 100.'),
  search: plain(z.string().max(SEARCH_MAX)).optional().describe('Part of the entity, the note or a tag.'),
  entityType: EntityType.optional(),
});
export type ListQuery = z.infer<typeof ListQuery>;
export const ReportList = z.object({
  reports: z.array(ReportSummary).describe('Newest first, without `result`.'),
  total: z.int(),
  page: z.int(),
  limit: z.int(),
});
export type ReportList = z.infer<typeof ReportList>;

export const ReportParams = z.object({
  id: z
    .string()
    .max(64)
    .describe('Id of a saved check.')
    .meta({ examples: ['rpt_01M7KJJ2FN2YGH69WAERMZSVPS'] }),
});

const moment = (what: string) =>
  z
    .union([z.iso.date().max(10), z.iso.datetime({ offset: true }).max(40)], {
      error: 'Send a day such as 2026-11-01, or a time with its zone.',
    })
    .optional()
    .describe(what);
export const ExportQuery = z
  .object({
    format: z.enum(['csv', 'json']).default('csv'),
    from: moment('Saved at or after; a day begins at 00:00 UTC.'),
    to: moment('Saved at or before; a day ends at 24:00 UTC.'),
  })
  .transform(({ format, from, to }, context): ExportQuery => {
    const fromMs = from === undefined ? null : Date.parse(from);
    const toMs = to === undefined ? null : Date.parse(to) + (to.length === 10 ? DAY_MS - 1 : 0);
    if (fromMs !== null && toMs !== null && fromMs > toMs) {
      context.addIssue({ code: 'custom', path: ['from'], message: 'It is later than `to`.' });
      return z.NEVER;
    }
    return { format, fromMs, toMs };
  });
export type ExportQuery = {
  readonly format: 'csv' | 'json';
  readonly fromMs: number | null;
  readonly toMs: number | null;
};

export const EntityExportBody = z.object({
  entityType: EntityType,
  entityValue: z
    .string({ error: 'Name the entity, such as example.com.' })
    .max(VALUE_MAX)
    .meta({ examples: ['198.51.100.7'] }),
  format: z.enum(['json', 'csv', 'html']).default('json'),
});
export type EntityExportBody = z.infer<typeof EntityExportBody>;
