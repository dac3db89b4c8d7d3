import { z } from 'zod';

/** Words of a service on the wire (decisions 3.14). */
const ServiceState = z.enum(['operational', 'degraded', 'down']);
export type ServiceState = z.infer<typeof ServiceState>;

/** Contract 2.12. */
export const Health = z
  .object({
    status: ServiceState.describe(
      '`degraded`: answering, with something missing. `down`: the database is away.',
    ),
    timestamp: z.iso.datetime().describe('When the engines were last asked, at most a second ago.'),
    services: z.object({ api: ServiceState, database: ServiceState, redis: ServiceState }),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;

export const Liveness = z.object({ status: z.literal('alive') }).meta({ id: 'Liveness' });

export const Readiness = z
  .object({
    ready: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), message: z.string() })),
  })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof Readiness>;
