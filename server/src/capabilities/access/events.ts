import { z } from 'zod';
import { eventType } from '#platform/events.ts';

/**
 * The plan, status or limits of an account were set. The payload is empty: a reader asks for the current subscription,
 * because it may have changed again.
 */
export const PlanChanged = eventType({ name: 'plan.changed', schema: z.object({}) });
