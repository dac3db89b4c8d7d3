/** The events that an endpoint may ask for (decisions 3.12). */
export const WEBHOOK_EVENTS = [
  'alert.created',
  'alert.updated',
  'alert.resolved',
  'reputation.changed',
  'ransomware.claim',
  'cve.finding.created',
  'cve.finding.updated',
  'case.created',
  'case.updated',
  'indicator.approved',
  'indicator.revoked',
  'quota.warning',
  'quota.exceeded',
  'webhook.test',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Stands for every event, also for those that are added later. */
export const EVERY_EVENT = '*';
