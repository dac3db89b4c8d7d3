import { z } from 'zod';
import { LimitOverrides } from '#capabilities/access/index.ts';
import { SourceId, SourceSettings } from '#capabilities/corpus/index.ts';
import { SUBMISSION_STATUSES } from '#capabilities/feeds/index.ts';
import { BILLINGS, PLANS, SUBSCRIPTION_STATUSES } from '#domain/plans/plans.ts';
import { JOB_STATES } from '#platform/jobs/queue-view.ts';

const ID_CHARS_MAX = 64;
const PAGE_MAX = 500;
const PAGE_DEFAULT = 100;
const NOTE_CHARS_MAX = 500;

export const count = z.int().min(0);
export const timestamp = z.iso.datetime();
/** A page of a list that is read from its newest entry on. */
const page = {
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE_DEFAULT),
  before: z.string().max(ID_CHARS_MAX).optional().describe('`next` of the page before.'),
};
const next = z.string().nullable().describe('Send it as `before` for the next page; null: there is none.');
const search = z.string().trim().min(1).max(254).optional();

export const IdParams = z.object({ id: z.string().min(1).max(ID_CHARS_MAX) });
export const SourceParams = z.object({ id: SourceId });

// Sources

export const SourceView = z
  .object({
    id: z.string(),
    name: z.string(),
    threatClass: z.string(),
    fpRisk: z.string(),
    category: z.string(),
    letter: z.string(),
    grade: z.string().describe('The same as `letter`.'),
    reliability: z.number().describe('Between 0 and 1: how far one listing is relied on.'),
    licence: z.string().nullable(),
    redistributable: z.boolean(),
    exported: z.boolean().describe('False: its entries are in no blocklist and no collection.'),
    ownList: z.boolean().describe('Registered by an operator, outside the catalog. It does not age.'),
    expiresDays: z
      .int()
      .describe('Days after an import for which an own list counts; 0: it does not expire.'),
    importedAt: timestamp.nullable().describe('The last import of an own list.'),
    expiresAt: timestamp.nullable(),
    scheduled: z.boolean().describe('Whether the worker fetches it.'),
    enabled: z.boolean().describe('Whether its listings count.'),
    entries: count,
    intervalS: z.number(),
    cluster: z.string().nullable(),
    failures: count,
    problem: z.string().nullable(),
    problemSince: timestamp.nullable(),
    quarantinedBy: z.string().nullable().describe('The gate that stopped its newest download.'),
    status: z.string(),
    dataAt: timestamp.nullable(),
    checkedAt: timestamp.nullable().describe('The last request to the publisher, also one that failed.'),
    fetchedAt: timestamp
      .nullable()
      .describe('When the publisher last delivered the list, or said that it is unchanged; null: never.'),
    nextRunAt: timestamp.nullable(),
    rebaseDays: z.int(),
    lastRun: z.looseObject({ id: z.string(), status: z.string(), reason: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'OperatorSource' });
export const SourcePage = z.object({ sources: z.array(SourceView) }).meta({ id: 'OperatorSourcePage' });
export const OneSource = z.object({ source: SourceView }).meta({ id: 'OperatorOneSource' });
export const CreateSourceBody = SourceSettings.extend({ id: SourceId }).meta({ id: 'CreateSourceBody' });
export const ChangeSourceBody = SourceSettings.extend({
  acceptLicence: z
    .boolean()
    .optional()
    .describe(
      'You have read the terms of a source that asks for it, and they fit your use. With `scheduled: true`.',
    ),
}).meta({ id: 'ChangeSourceBody' });
export const RunBody = z
  .object({
    force: z
      .boolean()
      .optional()
      .describe('Do not wait for its interval, and read it again even when unchanged.'),
  })
  .optional()
  .meta({ id: 'RunSourceBody' });
export const RollbackBody = z
  .object({
    to: z
      .string()
      .max(ID_CHARS_MAX)
      .optional()
      .describe('A run; the content before the last change when absent.'),
  })
  .optional()
  .meta({ id: 'RollbackBody' });
export const Queued = z.object({ sourceId: z.string(), jobId: z.string() }).meta({ id: 'QueuedRun' });
export const Merged = z
  .object({
    sourceId: z.string(),
    runId: z.string().nullable(),
    status: z.string(),
    reason: z.string().nullable(),
    entries: count.nullable(),
    added: count.nullable(),
    removed: count.nullable(),
    changed: count.nullable(),
  })
  .meta({ id: 'MergedSource' });
export const Discarded = z
  .object({ sourceId: z.string(), discarded: z.literal(true) })
  .meta({ id: 'DiscardedDownload' });

// Proposals of sources

export const SubmissionsQuery = z.object({
  status: z.enum([...SUBMISSION_STATUSES, 'all']).default('pending'),
});
export const SubmissionView = z
  .object({
    id: z.string(),
    accountId: z.string(),
    name: z.string(),
    type: z.string(),
    url: z.string(),
    category: z.string().nullable(),
    status: z.enum(SUBMISSION_STATUSES),
    note: z.string().nullable(),
    submittedAt: timestamp,
    decidedAt: timestamp.nullable(),
  })
  .meta({ id: 'OperatorSubmission' });
export const SubmissionPage = z
  .object({ submissions: z.array(SubmissionView) })
  .meta({ id: 'OperatorSubmissionPage' });
export const DecideBody = z
  .object({
    status: z.enum(['approved', 'rejected']),
    sourceId: SourceId.optional().describe('Id of the new source; made from its name when absent.'),
    note: z.string().trim().min(1).max(NOTE_CHARS_MAX).optional().describe('Why. A rejection needs it.'),
  })
  .meta({ id: 'DecideSubmissionBody' });
export const Decided = z
  .object({ submission: SubmissionView, sourceId: z.string().nullable() })
  .meta({ id: 'DecidedSubmission' });

// Accounts, plans, licences, keys

export const AccountsQuery = z.object({ ...page, search });
const planOf = {
  plan: z.enum(PLANS),
  billing: z.enum(BILLINGS).nullable(),
  status: z.enum(SUBSCRIPTION_STATUSES),
};
export const UserPage = z
  .object({
    users: z.array(
      z.object({
        id: z.string(),
        email: z.string().nullable(),
        createdAt: timestamp,
        deletedAt: timestamp.nullable(),
        ...planOf,
        organizations: z.array(z.string()),
        keys: count,
      }),
    ),
    next,
  })
  .meta({ id: 'OperatorUserPage' });
export const OrganizationPage = z
  .object({
    organizations: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        createdAt: timestamp,
        deletedAt: timestamp.nullable(),
        ...planOf,
        members: count,
        keys: count,
      }),
    ),
    next,
  })
  .meta({ id: 'OperatorOrganizationPage' });
export const PlanBody = z
  .object({
    plan: z.enum(PLANS).optional(),
    billing: z.enum(BILLINGS).nullable().optional(),
    status: z.enum(SUBSCRIPTION_STATUSES).optional(),
    limits: LimitOverrides.optional().describe("Figures instead of the plan's; {} takes them away."),
  })
  .refine((body) => Object.keys(body).length > 0, 'Say what to change: plan, billing, status or limits.')
  .meta({ id: 'OperatorPlanBody' });
export const PlanView = z
  .object({ accountId: z.string(), ...planOf, limits: z.record(z.string(), z.number()) })
  .meta({ id: 'OperatorPlan' });
const licence = {
  id: z.string(),
  accountId: z.string(),
  label: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp.nullable(),
};
export const LicencePage = z
  .object({ licences: z.array(z.object(licence)) })
  .meta({ id: 'OperatorLicencePage' });
export const LicenceBody = z
  .object({
    accountId: z.string().max(ID_CHARS_MAX),
    label: z.string().trim().max(100).optional(),
    expiresAt: z.iso.datetime({ offset: true }).max(40).optional(),
  })
  .meta({ id: 'OperatorLicenceBody' });
export const NewLicence = z
  .object({ ...licence, licence: z.string().describe('Shown only now.') })
  .meta({ id: 'OperatorNewLicence' });
export const RevokedKey = z
  .object({ keyId: z.string(), apiKey: z.string(), accountId: z.string(), revoked: z.literal(true) })
  .meta({ id: 'OperatorRevokedKey' });

// Jobs

export const JobsQuery = z.object({
  state: z.enum([...JOB_STATES, 'all']).default('failed'),
  limit: page.limit,
  before: z
    .string()
    .regex(/^\d{1,19}$/, 'Send `next` of the page before.')
    .optional(),
});
export const JobParams = z.object({ id: z.string().regex(/^\d{1,18}$/, 'Send the number of a job.') });
export const JobPage = z
  .object({
    counts: z.object({ running: count, failed: count, waiting: count, planned: count }),
    jobs: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        state: z.enum(JOB_STATES),
        queue: z.string().nullable(),
        attempts: count,
        attemptsMax: count,
        lastError: z.string().nullable(),
        createdAt: timestamp,
        runAt: timestamp,
        lockedAt: timestamp.nullable(),
      }),
    ),
    next,
  })
  .meta({ id: 'OperatorJobPage' });
export const RetriedJob = z
  .object({ jobId: z.string(), retried: z.literal(true) })
  .meta({ id: 'RetriedJob' });

// Audit

export const ActsQuery = z.object({
  ...page,
  of: z
    .enum(['operators', 'accounts'])
    .default('operators')
    .describe('Acts of operators, or the trail of accounts.'),
  operator: z.string().max(40).optional(),
  accountId: z.string().max(ID_CHARS_MAX).optional(),
});
export const ActPage = z
  .object({
    entries: z.array(
      z.object({
        id: z.string(),
        at: timestamp,
        actor: z.object({ kind: z.string(), id: z.string() }),
        accountId: z.string().nullable(),
        action: z.string(),
        target: z.string(),
        detail: z.record(z.string(), z.unknown()),
        outcome: z
          .string()
          .nullable()
          .describe('Of an act: done, refused or failed; null: cut off by the end of its process.'),
        reason: z.string().nullable(),
        ip: z.string(),
        requestId: z.string(),
      }),
    ),
    next,
  })
  .meta({ id: 'OperatorAuditPage' });
