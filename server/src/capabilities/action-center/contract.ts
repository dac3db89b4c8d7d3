import { z } from 'zod';
import { QUEUE_SOURCES, URGENCIES } from '#domain/action-center/index.ts';

export const QUEUE_MAX = 25;
export const ACTIONS_MAX = 10;

const count = z.int().min(0);
const source = z.enum(QUEUE_SOURCES);
const priority = z.enum(URGENCIES);
const href = z.string().describe('A path on the host of the dashboard.');

export const PARTS = ['alerts', 'findings', 'cases'] as const;
export type PartName = (typeof PARTS)[number];

const Metrics = z.object({
  openCriticalAlerts: count,
  openHighAlerts: count,
  staleOpenAlerts: count.describe('Open alerts without activity for 72 hours.'),
  acknowledgedAlerts: count,
  activeExploitFindings: count.describe('Open or acknowledged findings whose exploitation is reported.'),
  kevFindings: count.describe('Open or acknowledged findings of known exploited vulnerabilities.'),
  openCases: count.describe('Cases that are OPEN or IN_PROGRESS.'),
});

const QueueItem = z.object({
  id: z.string(),
  source,
  priority,
  title: z.string(),
  status: z.string(),
  reason: z.string().describe('Why it is here, as a sentence with its facts.'),
  href,
  primaryAction: z.enum(['acknowledge', 'patch', 'investigate', 'close']),
  description: z.string().nullable(),
  entityType: z.string().nullable(),
  entityValue: z.string().nullable(),
  createdAt: z.string().nullable(),
  updatedAt: z.string().nullable(),
});

export const Overview = z
  .object({
    generatedAt: z.string(),
    metrics: Metrics,
    priorityQueue: z
      .array(QueueItem)
      .max(QUEUE_MAX)
      .describe(
        'Most urgent first, then oldest. An alert with its finding or its case stands once, in the strongest form.',
      ),
    socActions: z
      .array(z.object({ id: z.string(), title: z.string(), source, priority, href }))
      .max(ACTIONS_MAX),
    caseMttr: z
      .object({
        p50Hours: z.number().nullable(),
        p90Hours: z.number().nullable(),
        sampleSize: count.describe('Cases that were resolved in the last 30 days and still are.'),
      })
      .describe('From the opening of a case to the resolution that stands. Beyond the contract.'),
    degraded: z.boolean().describe('A part could not be read: its figures are zero and mean nothing.'),
    missing: z.array(z.enum(PARTS)).describe('The parts that could not be read. Beyond the contract.'),
  })
  .meta({ id: 'ActionCenterOverview' });
export type Overview = z.infer<typeof Overview>;
