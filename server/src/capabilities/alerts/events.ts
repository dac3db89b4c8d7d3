import { eventType } from '#platform/events.ts';
import { Alert } from './contract.ts';

/** Read by webhooks of the same account; the payload is the alert as its routes show it. */
export const AlertCreated = eventType({ name: 'alert.created', schema: Alert });
export const AlertUpdated = eventType({ name: 'alert.updated', schema: Alert });
export const AlertResolved = eventType({ name: 'alert.resolved', schema: Alert });
