import { z } from 'zod';
import { eventType } from '#platform/events.ts';

/** A claim that no post had made before. It concerns every account; what an account watches decides whether it is told. */
export const NewClaim = eventType({
  name: 'ransomware.claim',
  schema: z.object({
    id: z.string(),
    victim: z.string(),
    group: z.string(),
    domain: z.string().nullable(),
    country: z.string().nullable(),
    sector: z.string().nullable(),
    discoveredAt: z.iso.datetime(),
    status: z.literal('claimed'),
  }),
});

/** One for each load that brought claims: the only one for the first content of a source. */
export const ClaimsLoaded = eventType({
  name: 'ransomware.loaded',
  schema: z.object({ datasetId: z.string(), claims: z.int().min(1), firstLoad: z.boolean() }),
});
