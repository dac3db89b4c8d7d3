import { z } from 'zod';
import { eventType } from '#platform/events.ts';

/** A new claim, for all accounts. Whether an account hears of it depends on what it watches. */
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

/** Emitted once per load that brought claims. The first load of a source emits only this event and no NewClaim. */
export const ClaimsLoaded = eventType({
  name: 'ransomware.loaded',
  schema: z.object({ datasetId: z.string(), claims: z.int().min(1), firstLoad: z.boolean() }),
});
