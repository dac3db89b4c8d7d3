import {
  IndicatorAdded,
  type IndicatorEvent,
  IndicatorRestored,
} from '#capabilities/org-indicators/index.ts';
import { stixIdOfOrganization } from '#domain/stix/index.ts';
import type { StreamEvent } from '#platform/events.ts';
import { frame } from '#platform/http/sse.ts';
import type { ThreatEvent } from './contract.ts';
import { Summary } from './events.ts';
import { type Filtered, SEVERITIES, type Severity, TYPES } from './filter.ts';

/** An event in the form in which it is sent, made once for all readers. */
export type Told = Filtered & {
  readonly id: number;
  /** The account that alone may read the event; null: every reader may. */
  readonly accountId: string | null;
  readonly bytes: Buffer;
};

/** The types of outbox events that a reader of the stream may get. */
export const LOGGED_TYPES: readonly string[] = [
  ...TYPES,
  Summary.name,
  IndicatorAdded.name,
  IndicatorRestored.name,
];

/** Null for an event that the stream does not tell. */
export function presentEvent(event: StreamEvent): Told | null {
  if (!LOGGED_TYPES.includes(event.type)) return null;
  if (event.type === IndicatorAdded.name || event.type === IndicatorRestored.name)
    return presentOwn(event, event.payload as OwnReport);
  const payload = event.payload as Payload;
  const isSummary = event.type === Summary.name;
  return told(event, isSummary ? 'summary' : event.type, payload, payload.types ?? [event.type]);
}

type Payload = {
  readonly severity: Severity;
  readonly categories: readonly string[];
  readonly types?: readonly string[];
};

const COLLECTIONS = {
  ip: 'org-reported-ips',
  domain: 'org-reported-domains',
  hash: 'org-reported-file-hashes',
} as const;

/** Events that the release before this one wrote lack the number of the object. */
type OwnReport = Omit<IndicatorEvent, 'objectNumber'> & Partial<Pick<IndicatorEvent, 'objectNumber'>>;

/** An indicator that an organization reports enters only its own collections, so only that account is told of it. */
function presentOwn(event: StreamEvent, reported: OwnReport): Told | null {
  const { accountId } = event;
  if (accountId === null || reported.disposition !== 'block') return null;
  const { entityType, value, category, objectNumber } = reported;
  const type = entityType === 'ip' && value.includes('/') ? 'cidr' : entityType;
  const payload = {
    severity: 'low' as const,
    categories: [category],
    indicator: { type, value },
    score: null,
    level: null,
    sources: { count: 0, names: [] },
    firstSeen: null,
    lastSeen: null,
    collection: COLLECTIONS[entityType],
    stixId: stixIdOfOrganization(accountId, entityType, value, objectNumber ?? 0),
  };
  return told(event, 'ioc.published', payload, ['ioc.published']);
}

function told(
  { id, occurredAt, accountId }: StreamEvent,
  type: string,
  payload: Payload,
  types: readonly string[],
): Told {
  const data = { id: String(id), occurredAt, ...payload };
  return {
    id,
    accountId,
    types,
    severity: SEVERITIES.indexOf(payload.severity),
    categories: payload.categories.map((category) => category.toLowerCase()),
    bytes: Buffer.from(frame(String(id), { type, data })),
  };
}

type Gap = Extract<ThreatEvent, { readonly type: 'gap' }>['data'];

const WHY: Readonly<Record<Gap['reason'], string>> = {
  expired: 'Events that old are no longer kept: the log has 24 hours, or the newest 100,000 shared events.',
  unknown: 'No event has this id here, so the stream goes on with new events.',
  lost: 'The service lost these events.',
};

/** The event that tells a reader that events are missing, so that none is dropped silently (decisions 3.13). */
export function presentGap(after: string, throughId: number, reason: Gap['reason']): Told {
  const message = `${WHY[reason]} Read again what you keep, for example the blocklists.`;
  const data: Gap = { id: String(throughId), after, reason, message };
  return {
    id: throughId,
    accountId: null,
    types: [],
    severity: 0,
    categories: [],
    bytes: Buffer.from(frame(String(throughId), { type: 'gap', data })),
  };
}
