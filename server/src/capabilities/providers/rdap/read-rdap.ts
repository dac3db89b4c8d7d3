import type { Ip } from '#domain/indicator/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { fieldOf, itemsOf } from '#domain/text/foreign-json.ts';
import { inertText } from '#domain/text/inert-text.ts';
import type { Whois } from '../contract-hosts.ts';
import { ProviderFailure } from '../provider.ts';
import { hostName } from './host-name.ts';
import { readMoment } from './read-moment.ts';

const NAME_MAX = 256;
const LIST_MAX = 50;
/** Limits against hostile answers; real ones have a handful of entities and events. */
const ENTITIES_MAX = 100;
const EVENTS_MAX = 100;
const CARD_LINES_MAX = 100;
const ROLES_MAX = 20;

export function readRdapDomain(json: unknown, name: string): Whois {
  assertClass(json, 'domain');
  const told = hostName(fieldOf(json, 'ldhName')) ?? hostName(fieldOf(json, 'unicodeName'));
  if (told !== null && told !== name) throw mismatch(name);
  return {
    ...sharedFacts(json),
    registrar: nameOf(entityOf(json, 'registrar'), ['fn', 'org']),
    nameServers: distinct(
      itemsOf(fieldOf(json, 'nameservers'), LIST_MAX).map((each) => hostName(fieldOf(each, 'ldhName'))),
    ),
    source: 'rdap',
  };
}

/** An ip network object (RFC 9083 5.4). It has no registrar, because the registry assigned it directly. */
export function readRdapNetwork(json: unknown, ip: Ip): Whois {
  assertClass(json, 'ip network');
  const [first, last] = [addressOf(fieldOf(json, 'startAddress')), addressOf(fieldOf(json, 'endAddress'))];
  if (first === null || last === null || !isBetween(ip, first, last)) throw mismatch(ip.value);
  return {
    ...sharedFacts(json),
    registrar: null,
    nameServers: [],
    network: {
      name: inertText(fieldOf(json, 'name'), NAME_MAX),
      range: `${first.value} - ${last.value}`,
      country: inertText(fieldOf(json, 'country'), NAME_MAX),
    },
    source: 'rdap',
  };
}

type Shared = Pick<Whois, 'registrant' | 'createdDate' | 'updatedDate' | 'expiresDate' | 'status' | 'handle'>;

function sharedFacts(json: unknown): Shared {
  const events = itemsOf(fieldOf(json, 'events'), EVENTS_MAX);
  return {
    registrant: nameOf(entityOf(json, 'registrant'), ['org', 'fn']),
    createdDate: momentOf(events, 'registration'),
    updatedDate: momentOf(events, 'last changed'),
    expiresDate: momentOf(events, 'expiration'),
    status: distinct(itemsOf(fieldOf(json, 'status'), LIST_MAX).map((each) => inertText(each, NAME_MAX))),
    handle: inertText(fieldOf(json, 'handle'), NAME_MAX),
  };
}

function assertClass(json: unknown, wanted: string): void {
  const told = fieldOf(json, 'objectClassName');
  if (told === wanted) return;
  throw new ProviderFailure('upstream', `The registry's answer is not a ${wanted} object.`);
}

const mismatch = (asked: string): ProviderFailure =>
  new ProviderFailure('upstream', `The registry answered about another object than '${asked}'.`);

/** The latest event of a kind: some registries list every renewal. */
function momentOf(events: readonly unknown[], action: string): string | null {
  const moments = events.flatMap((event) => {
    const named = fieldOf(event, 'eventAction');
    if (typeof named !== 'string' || named.toLowerCase() !== action) return [];
    return readMoment(fieldOf(event, 'eventDate')) ?? [];
  });
  return moments.sort().at(action === 'registration' ? 0 : -1) ?? null;
}

function entityOf(json: unknown, role: string): unknown {
  return itemsOf(fieldOf(json, 'entities'), ENTITIES_MAX).find((entity) =>
    itemsOf(fieldOf(entity, 'roles'), ROLES_MAX).includes(role),
  );
}

/** From the card of the entity (RFC 7095), by the first property with text; else its handle. */
function nameOf(entity: unknown, properties: readonly string[]): string | null {
  const card = itemsOf(fieldOf(entity, 'vcardArray'), 2)[1];
  const lines = itemsOf(card, CARD_LINES_MAX);
  for (const property of properties) {
    const text = cardText(lines, property);
    if (text !== null) return text;
  }
  return inertText(fieldOf(entity, 'handle'), NAME_MAX);
}

function cardText(lines: readonly unknown[], property: string): string | null {
  const line = lines.find((each) => itemsOf(each, 1)[0] === property);
  const value = itemsOf(line, 4)[3];
  return inertText(Array.isArray(value) ? value[0] : value, NAME_MAX);
}

const distinct = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.flatMap((each) => each ?? [])),
];

function addressOf(value: unknown): Ip | null {
  if (typeof value !== 'string' || value.length > 64) return null;
  const parsed = parseIndicator(value.split('/')[0] ?? '');
  return parsed.ok && parsed.indicator.kind === 'ip' ? parsed.indicator : null;
}

function isBetween(ip: Ip, first: Ip, last: Ip): boolean {
  if (ip.version === 4)
    return (
      first.version === 4 && last.version === 4 && first.address <= ip.address && ip.address <= last.address
    );
  if (first.version === 4 || last.version === 4) return false;
  return Buffer.compare(first.bytes, ip.bytes) <= 0 && Buffer.compare(ip.bytes, last.bytes) <= 0;
}
