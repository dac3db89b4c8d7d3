import { z } from 'zod';

const ServiceState = z.enum(['operational', 'degraded', 'down']);
export type ServiceState = z.infer<typeof ServiceState>;

export const Health = z
  .object({
    status: ServiceState.describe(
      '`degraded`: answering, with something missing. `down`: the database is away.',
    ),
    timestamp: z.iso.datetime().describe('When the engines were last asked, at most a second ago.'),
    services: z.object({ api: ServiceState, database: ServiceState, redis: ServiceState }),
    replicaContactAgeMs: z
      .int()
      .min(0)
      .nullable()
      .describe('How long ago the data of this node was known to be complete; null while it is loading.'),
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
