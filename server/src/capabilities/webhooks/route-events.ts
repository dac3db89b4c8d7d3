import type { WebhookEvent } from '#domain/webhooks/index.ts';
import type { StreamEvent } from '#platform/events.ts';

/** One event in the form in which endpoints receive it. */
export type Told = {
  readonly name: WebhookEvent;
  readonly occurredAt: string;
  readonly data: unknown;
};

/** What an event for all accounts is about; an account that watches it is told. */
export type Subject =
  | { readonly kind: 'indicator'; readonly type: string; readonly value: string }
  | { readonly kind: 'claim'; readonly domain: string | null; readonly victim: string };

const SAME_NAME: readonly WebhookEvent[] = [
  'alert.created',
  'alert.updated',
  'alert.resolved',
  'cve.finding.created',
  'cve.finding.updated',
  'case.created',
  'case.updated',
  'reputation.changed',
  'ransomware.claim',
];

/** Outbox events that the contract calls by another name. */
const RENAMED: Readonly<Record<string, (payload: unknown) => WebhookEvent>> = {
  'cve.finding.summary': () => 'cve.finding.created',
  'org.indicator.added': () => 'indicator.approved',
  'org.indicator.restored': () => 'indicator.approved',
  'org.indicator.revoked': () => 'indicator.revoked',
  'quota.reached': (payload) =>
    (payload as { share: number }).share >= 100 ? 'quota.exceeded' : 'quota.warning',
};

/** The types of outbox events that the reader reads. */
export const READ_TYPES: readonly string[] = [...SAME_NAME, ...Object.keys(RENAMED)];

export function tell({ type, occurredAt, payload }: StreamEvent): Told | null {
  const same = SAME_NAME.find((name) => name === type);
  const name = same ?? (Object.hasOwn(RENAMED, type) ? RENAMED[type]?.(payload) : undefined);
  return name === undefined ? null : { name, occurredAt, data: payload };
}

/** Null if the event belongs to one account, or has no subject that can be watched. */
export function subjectOf({ type, payload }: StreamEvent): Subject | null {
  if (type === 'reputation.changed') {
    const { indicator } = payload as { indicator: { type: string; value: string } };
    return { kind: 'indicator', type: indicator.type, value: indicator.value };
  }
  if (type === 'ransomware.claim') {
    const { domain, victim } = payload as { domain: string | null; victim: string };
    return { kind: 'claim', domain, victim };
  }
  return null;
}
