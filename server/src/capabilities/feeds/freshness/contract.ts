import { z } from 'zod';
import { THREAT_CLASSES } from '#capabilities/corpus/index.ts';
import { CAUSES } from './cause.ts';
import { FRESHNESS } from './states.ts';

const DATASETS_MAX = 32_767;
const count = z.int().min(0);
const timestamp = z.iso.datetime();

const Dataset = z
  .object({
    id: z.string().describe('The source, or the data that is no source, such as `pwned-passwords-sha1`.'),
    label: z.string(),
    status: z
      .enum(FRESHNESS)
      .describe(
        '`failing`: the last attempt was refused or failed, and the last good content is still served. `stale`: the data is older than slaHours, or its publisher has not been asked for too long. `missing`: never loaded.',
      ),
    lastUpdatedAt: timestamp
      .nullable()
      .describe("Date of the data itself, by its publisher's account; not of our download."),
    ageHours: z.number().min(0).nullable(),
    slaHours: z
      .number()
      .describe('Hours after which the data is called stale: 30 intervals, at least 14 days.'),
    records: count.nullable().describe('Entries listed now.'),
    message: z
      .string()
      .nullable()
      .describe('Why it is not fresh, that its dates were moved, or how old an own list is.'),
    category: z.string().describe('What its entries are called. Beyond the contract.'),
    threatClass: z.enum(THREAT_CLASSES).describe('Beyond the contract.'),
    cause: z
      .enum(CAUSES)
      .nullable()
      .describe('The kind of reason why it is not fresh; null when it is fresh. Beyond the contract.'),
    reason: z
      .string()
      .nullable()
      .describe('The part of `message` that sources with the same problem share. Beyond the contract.'),
    ownList: z
      .boolean()
      .optional()
      .describe(
        'An operator imported it: it does not age, and slaHours does not apply. Beyond the contract.',
      ),
    expiresAt: timestamp
      .nullable()
      .optional()
      .describe('When the period of an own list is over; null: it does not expire. Beyond the contract.'),
    movedDays: z
      .int()
      .describe(
        'By how many days its dates were moved when it was imported; 0: not moved. Beyond the contract.',
      ),
    nodesDiffer: z
      .boolean()
      .optional()
      .describe(
        'Only for data that each node has a copy of: true when the copies are not the same. Beyond the contract.',
      ),
  })
  .meta({ id: 'DatasetStatus' });

/** The reply of /platform/data-freshness (contract 2.12, decisions 3.14). */
export const DataFreshness = z
  .object({
    generatedAt: timestamp,
    overallStatus: z
      .enum(['fresh', 'degraded', 'stale'])
      .describe(
        '`fresh`: every data set is. `stale`: more than half are not, or there is none. `degraded`: in between.',
      ),
    datasets: z
      .array(Dataset)
      .max(DATASETS_MAX)
      .describe(
        'One per source in use, per loaded type of breached passwords and per publication (`blocklists`, `taxii`, `mmdb`), the worst first.',
      ),
    actions: z.array(z.string()).describe('What the operator should do now.'),
    sourceCount: count.describe(
      'Data sets that list something now, counted as in /stats. Beyond the contract.',
    ),
  })
  .meta({ id: 'DataFreshness' });
export type DataFreshness = z.infer<typeof DataFreshness>;

const RUN_STATUSES = ['succeeded', 'failed', 'running'] as const;

const LastRun = z
  .object({
    id: z.string(),
    status: z
      .enum(RUN_STATUSES)
      .describe('A publisher that had nothing new is a success; a download put in quarantine is a failure.'),
    startedAt: timestamp,
    finishedAt: timestamp.nullable(),
    durationMs: count.describe('So far, while it is running.'),
    phases: z.array(
      z.object({
        id: z.string(),
        status: z.string(),
        durationMs: z.number().min(0),
        records: z.number().min(0).nullable(),
      }),
    ),
    sourceId: z.string().nullable().describe('Whose run it was. Beyond the contract.'),
    reason: z.string().nullable().describe('Why it failed. Beyond the contract.'),
  })
  .meta({ id: 'PipelineRun' });
export type LastRun = z.infer<typeof LastRun>;

/** The reply of /platform/data-ops/pipeline (contract 2.12, decisions 3.14). */
export const DataOpsPipeline = z
  .object({
    generatedAt: timestamp,
    phases: z
      .array(
        z.object({
          id: z.string(),
          label: z.string(),
          command: z.string().describe('What runs it.'),
          produces: z.array(z.string()),
          requiredForSla: z.boolean().describe('Without it the data gets older.'),
        }),
      )
      .describe('In the order they run. What publishes does so at its own times, for all sources together.'),
    lastRun: z
      .union([LastRun, z.strictObject({})])
      .describe(
        'Every source has its own interval, so there is no round of all of them: this is the run that started last, of whichever source. `{}` before the first.',
      ),
    freshnessApiPath: z.string(),
    backofficePath: z.string(),
  })
  .meta({ id: 'DataOpsPipeline' });
export type DataOpsPipeline = z.infer<typeof DataOpsPipeline>;
