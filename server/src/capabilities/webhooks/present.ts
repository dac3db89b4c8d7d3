import type { Delivery, Webhook } from './contract.ts';
import type { DeliveryRow } from './delivery-store.ts';
import type { EndpointRow } from './store.ts';

const timeOf = (ms: number): string => new Date(ms).toISOString();
const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeOf(ms));

export const presentWebhook = (row: EndpointRow): Webhook => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: [...row.events],
  enabled: row.enabled,
  verified: row.verified,
  disabledReason: row.disabledReason,
  createdAt: timeOf(row.createdAtMs),
  updatedAt: timeOf(row.updatedAtMs),
  lastDeliveryAt: timeOrNull(row.lastDeliveryAtMs),
  lastStatus: row.lastStatus,
  failureCount: row.failureCount,
});

export const presentDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  event: row.event,
  sequence: row.sequence === null ? null : Number(row.sequence),
  status: row.status === 'once' ? 'pending' : row.status,
  outOfOrder: row.outOfOrder,
  attempts: row.attempts,
  createdAt: timeOf(row.createdAtMs),
  lastAttemptAt: timeOrNull(row.lastAttemptAtMs),
  nextAttemptAt: timeOrNull(row.nextAtMs),
  deliveredAt: timeOrNull(row.deliveredAtMs),
  responseStatus: row.responseStatus,
  responseBody: row.responseBody,
  error: row.error,
  durationMs: row.durationMs,
});
