import { z } from 'zod';
import { eventType } from '#platform/events.ts';

export const QUOTA_METERS = ['checks', 'scans'] as const;
export type QuotaMeter = (typeof QUOTA_METERS)[number];
export const QUOTA_SHARES = [80, 100] as const;
export type QuotaShare = (typeof QUOTA_SHARES)[number];

/** An account has used 80 or 100 percent of a month's units. Emitted once a month for each meter and percentage. */
export const QuotaReached = eventType({
  name: 'quota.reached',
  schema: z.object({
    share: z.literal(QUOTA_SHARES),
    meter: z.enum(QUOTA_METERS),
    period: z.string().regex(/^\d{6}$/),
    used: z.int().min(0),
    limit: z.int().min(0),
  }),
});
