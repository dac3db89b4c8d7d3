import { z } from 'zod';
import { eventType } from '#platform/events.ts';

/** The plan, status or limits of an account were set. A reader takes them from the subscription, which may have changed since. */
export const PlanChanged = eventType({ name: 'plan.changed', schema: z.object({}) });
