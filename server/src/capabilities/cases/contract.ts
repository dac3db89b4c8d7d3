import { z } from 'zod';
import { CASE_PRIORITIES, CASE_STATUSES } from '#domain/cases/index.ts';
import { atMost } from '#platform/request-fields.ts';

const TITLE_MAX = 200;
const DESCRIPTION_MAX = 10_000;
const VALUE_MAX = 2_048;
const ID_MAX = 64;
const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 500;
export const PAYLOAD_BYTES_MAX = 65_536;
export const PAYLOAD_DEPTH_MAX = 20;
export const EVIDENCE_MAX = 500;

const ENTITY_TYPES = ['ip', 'domain', 'url', 'hash', 'email', 'phone', 'cve'] as const;

/** PostgreSQL text cannot hold U+0000, and half a surrogate pair has no bytes that could be hashed. */
const plain = (text: z.ZodString) =>
  text.refine(
    (value) => !value.includes('\u0000') && value.isWellFormed(),
    'It must not hold the character U+0000 or half of a surrogate pair.',
  );
const upper = <T extends z.ZodType>(words: T) =>
  z.preprocess((value) => (typeof value === 'string' ? value.toUpperCase() : value), words);
const Status = upper(z.enum(CASE_STATUSES));
const Priority = upper(z.enum(CASE_PRIORITIES));

const title = plain(z.string({ error: 'Send a title.' }).trim().min(1).max(TITLE_MAX));
const description = plain(z.string().max(DESCRIPTION_MAX)).nullable();
const linked = (what: string) =>
  plain(z.string().min(1).max(ID_MAX)).nullable().describe(`Id of ${what} of the same account.`);

const about = {
  description,
  entityType: z.enum(ENTITY_TYPES).nullable(),
  entityValue: plain(z.string().min(1).max(VALUE_MAX)).nullable(),
  linkedAlertId: linked('an alert'),
  linkedCveFindingId: linked('a finding'),
  linkedReportId: linked('a saved check'),
};

export const CreateCase = z
  .object({ ...about, priority: Priority.nullable() })
  .partial()
  .extend({ title })
  .meta({ id: 'CreateActionCaseRequest', examples: [{ title: 'Beacon on host 12', priority: 'HIGH' }] });
export type CreateCase = z.infer<typeof CreateCase>;

export const UpdateCase = z
  .object({ title, ...about, status: Status, priority: Priority })
  .partial()
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    message: 'Send at least one field to change.',
  })
  .meta({ id: 'UpdateActionCaseRequest', examples: [{ status: 'IN_PROGRESS' }] });
export type UpdateCase = z.infer<typeof UpdateCase>;

export const AddEvidence = z
  .object({
    kind: z
      .string()
      .regex(/^[a-z][a-z0-9_.-]{0,63}$/, 'Use lower-case letters, digits and _ . - such as check_result.')
      .max(64)
      .refine((kind) => kind !== 'status_change', 'The service writes it when the status changes.')
      .describe(
        'note, check_result, mail_scan, alert, cve_finding, report, indicator, or a word of your own.',
      ),
    title,
    description: description.optional(),
    payload: z
      .record(z.string().max(1_000), z.unknown().meta({ boundedBy: 'the size of the body, and 64 KiB' }), {
        error: 'Send an object.',
      })
      .describe('At most 64 KiB as JSON without blanks, and 20 levels deep.'),
  })
  .meta({
    id: 'AddCaseEvidenceRequest',
    examples: [{ kind: 'note', title: 'Host isolated', payload: { host: 'ws-12' } }],
  });
export type AddEvidence = z.infer<typeof AddEvidence>;

export const CaseEvidence = z
  .object({
    id: z.string(),
    kind: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    payload: z.record(z.string(), z.unknown()),
    createdAt: z.string(),
    hash: z
      .string()
      .describe(
        'SHA-256 of the hash before and the piece in RFC 8785 form, in hexadecimal. Beyond the contract.',
      ),
  })
  .meta({ id: 'ActionCaseEvidence' });
export type CaseEvidence = z.infer<typeof CaseEvidence>;

export const ActionCase = z
  .object({
    id: z.string(),
    userId: z.string().describe('Who opened it.'),
    organizationId: z.string().nullable(),
    title: z.string(),
    description: z.string().nullable(),
    status: z.enum(CASE_STATUSES),
    priority: z.enum(CASE_PRIORITIES),
    entityType: z.enum(ENTITY_TYPES).nullable(),
    entityValue: z.string().nullable(),
    linkedAlertId: z.string().nullable(),
    linkedCveFindingId: z.string().nullable(),
    linkedReportId: z.string().nullable(),
    evidence: z.array(CaseEvidence).describe('Oldest first.'),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'ActionCase' });
export type ActionCase = z.infer<typeof ActionCase>;

export const CaseParams = z.object({
  id: z
    .string()
    .max(ID_MAX)
    .describe('Id of a case.')
    .meta({ examples: ['case_01M7KJJ2FN2YGH69WAERMZSVPS'] }),
});

export const ListQuery = z.object({
  status: Status.optional(),
  priority: Priority.optional(),
  limit: atMost(LIMIT_MAX, LIMIT_DEFAULT).describe(
    'At most 500. A page ends earlier where its evidence passes 8 MiB.',
  ),
  cursor: z
    .string()
    .max(ID_MAX)
    .regex(/^case_[0-9A-Z]+$/, 'Take it from the `Link` header of the page before.')
    .optional(),
});
export type ListQuery = z.infer<typeof ListQuery>;

export const Verified = z
  .object({
    ok: z.boolean(),
    length: z.int().min(0).describe('Pieces of evidence that are there.'),
    brokenAt: z
      .int()
      .min(1)
      .nullable()
      .describe('The first position, from 1, that does not fit or is missing; null when all fits.'),
    reason: z.string().nullable().describe('What does not fit.'),
    head: z.string().describe('Hash of the last piece; of the id of the case while there is none.'),
    sealed: z
      .object({ day: z.string(), length: z.int(), hash: z.string() })
      .nullable()
      .describe('The newest daily seal of this case that fits; later pieces are not sealed yet.'),
  })
  .meta({ id: 'CaseVerification' });
export type Verified = z.infer<typeof Verified>;

export const ExportQuery = z.object({ format: z.enum(['json', 'md']).default('json') });
