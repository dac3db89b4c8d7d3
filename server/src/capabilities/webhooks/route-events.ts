import type { WebhookEvent } from '#domain/webhooks/index.ts';
import type { StreamEvent } from '#platform/events.ts';

/** One event as endpoints get it. */
export type Told = {
  readonly name: WebhookEvent;
  readonly occurredAt: string;
  readonly data: unknown;
};

/** An event of all accounts, and what an account has to watch to be told of it. */
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

/** Events of the outbox that are told under another name of the contract. */
const RENAMED: Readonly<Record<string, (payload: unknown) => WebhookEvent>> = {
  'cve.finding.summary': () => 'cve.finding.created',
  'org.indicator.added': () => 'indicator.approved',
  'org.indicator.restored': () => 'indicator.approved',
  'org.indicator.revoked': () => 'indicator.revoked',
  'quota.reached': (payload) =>
    (payload as { share: number }).share >= 100 ? 'quota.exceeded' : 'quota.warning',
};

/** The outbox types that the reader asks for. */
export const READ_TYPES: readonly string[] = [...SAME_NAME, ...Object.keys(RENAMED)];

export function tell({ type, occurredAt, payload }: StreamEvent): Told | null {
  const same = SAME_NAME.find((name) => name === type);
  const name = same ?? (Object.hasOwn(RENAMED, type) ? RENAMED[type]?.(payload) : undefined);
  return name === undefined ? null : { name, occurredAt, data: payload };
}

/** Null where the event belongs to one account, or says nothing that can be watched. */
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
