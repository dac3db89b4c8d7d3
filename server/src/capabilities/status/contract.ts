import { z } from 'zod';
import { NOTICE_SEVERITIES } from './notice-store.ts';

const ServiceState = z.enum(['operational', 'degraded', 'down']);
export type ServiceState = z.infer<typeof ServiceState>;

export const Health = z
  .object({
    status: ServiceState.describe(
      '`degraded`: answering, with something missing. `down`: the database is away.',
    ),
    timestamp: z.iso.datetime().describe('When the engines were last asked, at most a second ago.'),
    services: z.object({
      api: ServiceState,
      database: ServiceState.describe(
        '`degraded`: it answers and accepts no writes, as during a failover: reads work, writes are 503.',
      ),
      redis: ServiceState,
    }),
    replicaContactAgeMs: z
      .int()
      .min(0)
      .nullable()
      .describe('How long ago the data of this node was known to be complete; null while it is loading.'),
    data: z
      .object({
        status: z
          .enum(['fresh', 'degraded', 'stale'])
          .describe('As in /platform/data-freshness, which names each data set.'),
        message: z.string().max(500).describe('How many data sets are loaded and what is wrong with them.'),
        late: z
          .array(z.string())
          .max(16)
          .describe(
            'What should be there for download and is not, or not in its newest version: `blocklists`, `taxii`, `mmdb`. Each makes `status` degraded.',
          ),
      })
      .nullable()
      .describe(
        'The state of the loaded data, at most five seconds old. Of it only `late` changes `status`. Null while it cannot be read, which is degraded too. Beyond the contract.',
      ),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;

export const Liveness = z.object({ status: z.literal('alive') }).meta({ id: 'Liveness' });

export const Readiness = z
  .object({
    ready: z.boolean(),
    checks: z
      .array(z.object({ name: z.string(), ok: z.boolean(), message: z.string() }))
      .describe('`contact` is reported and does not make a node unready.'),
    replicaContactAgeMs: z.int().min(0).nullable(),
  })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof Readiness>;

export const Notice = z
  .object({
    id: z.string(),
    severity: z.enum(NOTICE_SEVERITIES),
    title: z.string(),
    body: z.string(),
    startsAt: z.iso.datetime(),
    endsAt: z.iso.datetime().nullable().describe('Null: it has not ended.'),
  })
  .meta({ id: 'StatusNotice' });
export type Notice = z.infer<typeof Notice>;

const count = z.int().min(0);
const share = z.number().min(0).max(1);

const CanaryProbe = z
  .object({
    id: z
      .string()
      .describe(
        '`indicator`: reported; `check`: seen by a check; `taxii`: seen in a collection; `webhook`: delivered.',
      ),
    status: z.enum(['passing', 'failing', 'silent']).describe('`silent`: no result for five minutes.'),
    lastAt: z.iso.datetime().nullable(),
    p50Ms: z.number().nullable().describe('Of the last 24 hours.'),
    p99Ms: z.number().nullable(),
    samples: count.describe('Results of the last 24 hours.'),
    share30d: share.nullable().describe('Passed of all results of 30 days.'),
  })
  .meta({ id: 'CanaryProbe' });
export type CanaryProbe = z.infer<typeof CanaryProbe>;

const EvidenceDay = z
  .object({
    day: z.iso.date(),
    root: z.string().describe('SHA-256 over the heads of all chains of evidence of that day, in hex.'),
    accounts: count.describe('How many heads it covers.'),
  })
  .meta({ id: 'EvidenceDay' });
export type EvidenceDay = z.infer<typeof EvidenceDay>;

export const PlatformStatus = z
  .object({
    generatedAt: z.iso.datetime().describe('At most ten seconds ago.'),
    status: ServiceState,
    services: Health.shape.services,
    freshness: z
      .object({
        overallStatus: z.enum(['fresh', 'degraded', 'stale']),
        fresh: count,
        stale: count,
        missing: count,
        failing: count,
      })
      .nullable()
      .describe('Data sets by state. Null while it cannot be read.'),
    notices: z
      .array(Notice)
      .nullable()
      .describe('Of the operators, with what ended in the last week. Null while they cannot be read.'),
    canary: z
      .array(CanaryProbe)
      .nullable()
      .describe(
        'Measured every minute through the public interface. Empty: no canary is set up. Null while it cannot be read.',
      ),
    evidenceRoots: z
      .array(EvidenceDay)
      .nullable()
      .optional()
      .describe(
        'The newest days first; keep them to prove later that nothing was changed. Absent where this service keeps no evidence.',
      ),
  })
  .meta({ id: 'PlatformStatus' });
export type PlatformStatus = z.infer<typeof PlatformStatus>;
