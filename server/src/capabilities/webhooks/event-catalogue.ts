import type { WebhookEvent } from '#domain/webhooks/index.ts';
import type { EventsReply } from './contract.ts';

type Described = {
  readonly description: string;
  readonly recommendedFields: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
};

const ALERT = {
  id: 'alt_01M7KJJ2FN2YGH69WAERMZSVPS',
  type: 'reputation.malicious',
  severity: 'critical',
  status: 'OPEN',
  value: 'bad.example.com',
  title: 'bad.example.com: Malicious',
};
const CASE = {
  id: 'cas_01M7KJJ2FN2YGH69WAERMZSVPS',
  title: 'Phishing of 12 November',
  status: 'OPEN',
  priority: 'HIGH',
};
const FINDING = {
  id: 'xfnd_01M7KJJ2FN2YGH69WAERMZSVPS',
  perimeterId: 'per_01M7KJJ2FN2YGH69WAERMZSVPS',
  cveId: 'CVE-2024-31867',
  status: 'OPEN',
  priority: 'P1',
  confidence: 'confirmed',
};
const INDICATOR = {
  id: 'ind_01M7KJJ2FN2YGH69WAERMZSVPS',
  entityType: 'domain',
  value: 'bad.example.com',
  disposition: 'block',
  category: 'phishing',
  objectNumber: 0,
};
const QUOTA = { share: 80, meter: 'checks', period: '202611', used: 8_000, limit: 10_000 };
const FINDING_FIELDS = ['id', 'cveId', 'priority', 'status', 'confidence'];
const ALERT_FIELDS = ['id', 'type', 'severity', 'status', 'value'];
const SUMMARY_NOTE =
  ' The first scan of a perimeter, and what one run finds beyond 1,000, is one event with `findings`, `byPriority` and `gaps` (what was not checked) and without `id`. A scan without findings sends none.';

const CATALOGUE: Readonly<Record<WebhookEvent, Described>> = {
  'alert.created': { description: 'An alert came up.', recommendedFields: ALERT_FIELDS, data: ALERT },
  'alert.updated': {
    description: 'An alert changed: its status, its owner or its severity.',
    recommendedFields: ALERT_FIELDS,
    data: { ...ALERT, status: 'ACKNOWLEDGED' },
  },
  'alert.resolved': {
    description: 'An alert was resolved.',
    recommendedFields: ALERT_FIELDS,
    data: { ...ALERT, status: 'RESOLVED' },
  },
  'reputation.changed': {
    description: 'The level of something that this account watches changed.',
    recommendedFields: ['indicator', 'level', 'previousLevel', 'reason'],
    data: {
      indicator: { type: 'domain', value: 'bad.example.com' },
      level: 'critical',
      score: 92,
      previousLevel: 'low',
      previousScore: 12,
      reason: 'Two more lists name it.',
    },
  },
  'ransomware.claim': {
    description: 'A ransomware group claims a victim that this account watches.',
    recommendedFields: ['id', 'victim', 'group', 'domain', 'discoveredAt'],
    data: {
      id: 'rcl_01M7KJJ2FN2YGH69WAERMZSVPS',
      victim: 'Example GmbH',
      group: 'examplegroup',
      domain: 'example.com',
      country: 'DE',
      sector: 'manufacturing',
      discoveredAt: '2026-11-17T08:00:00.000Z',
      status: 'claimed',
    },
  },
  'cve.finding.created': {
    description: `A CVE concerns a component that this account watches.${SUMMARY_NOTE}`,
    recommendedFields: FINDING_FIELDS,
    data: FINDING,
  },
  'cve.finding.updated': {
    description: 'A finding changed: its priority, its status, or the CVEs of a possible one.',
    recommendedFields: FINDING_FIELDS,
    data: { ...FINDING, status: 'PATCHED' },
  },
  'case.created': {
    description: 'A case was opened.',
    recommendedFields: ['id', 'title', 'status', 'priority'],
    data: CASE,
  },
  'case.updated': {
    description: 'A case changed, or evidence was added to it.',
    recommendedFields: ['id', 'title', 'status', 'priority'],
    data: { ...CASE, status: 'CLOSED' },
  },
  'indicator.approved': {
    description: 'An indicator of the organization is in force: added, or restored.',
    recommendedFields: ['id', 'entityType', 'value', 'disposition'],
    data: INDICATOR,
  },
  'indicator.revoked': {
    description: 'An indicator of the organization was revoked.',
    recommendedFields: ['id', 'entityType', 'value'],
    data: INDICATOR,
  },
  'quota.warning': {
    description: '80 percent of a month are used.',
    recommendedFields: ['meter', 'used', 'limit', 'period'],
    data: QUOTA,
  },
  'quota.exceeded': {
    description: 'A month is used up.',
    recommendedFields: ['meter', 'used', 'limit', 'period'],
    data: { ...QUOTA, share: 100, used: 10_000 },
  },
  'webhook.test': {
    description: 'A test that the account asked for. It has no `sequence` and is sent once.',
    recommendedFields: ['webhookId'],
    data: { webhookId: 'whk_01M7KJJ2FN2YGH69WAERMZSVPS', message: 'This is a test.' },
  },
};

export const SIGNATURE = {
  scheme: 'standard-webhooks',
  headers: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  algorithm: 'HMAC-SHA256',
} as const;

const CHALLENGE = '8qLr2mPzVtB1xYw0nKfUcJ3dHs6eGa9o';
export const describeVerification = (): EventsReply['data']['verification'] => ({
  name: 'webhook.verification',
  description:
    'Asks a new host for its consent. It has no `sequence`. No event is sent before the host answered with the challenge, or a person passed it to POST /user/webhooks/{id}/verify.',
  example: {
    type: 'webhook.verification',
    timestamp: '2026-11-17T08:00:00.000Z',
    data: { webhookId: 'whk_01M7KJJ2FN2YGH69WAERMZSVPS', challenge: CHALLENGE },
  },
  answer: { challenge: CHALLENGE },
});

export const describeEvents = (): EventsReply['data']['events'] =>
  (Object.entries(CATALOGUE) as [WebhookEvent, Described][]).map(([name, { data, ...described }], at) => ({
    name,
    description: described.description,
    recommendedFields: [...described.recommendedFields],
    example: {
      type: name,
      timestamp: '2026-11-17T08:00:00.000Z',
      ...(name !== 'webhook.test' && { sequence: at + 1 }),
      data,
    },
  }));
