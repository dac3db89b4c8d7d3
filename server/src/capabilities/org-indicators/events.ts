import { z } from 'zod';
import { eventType } from '#platform/events.ts';
import { ENTITY_TYPES } from './contract.ts';

const payload = z.object({
  id: z.string().max(64),
  entityType: z.enum(ENTITY_TYPES),
  value: z.string().max(254),
  disposition: z.enum(['block', 'allow']),
  category: z.string().max(40),
  /** The number of the indicator's newest STIX object, a part of the object's id (O12); null: it never had one. */
  objectNumber: z.int().min(0).nullable(),
});
export type IndicatorEvent = z.output<typeof payload>;

/** Read by the threat stream, webhooks and TAXII collections of the same organization; each event carries its account. */
export const IndicatorAdded = eventType({ name: 'org.indicator.added', schema: payload });
export const IndicatorRestored = eventType({ name: 'org.indicator.restored', schema: payload });
export const IndicatorRevoked = eventType({ name: 'org.indicator.revoked', schema: payload });
