import { inertText } from '#domain/text/inert-text.ts';
import type { Whois } from '../contract-hosts.ts';
import { ProviderFailure } from '../provider.ts';
import { hostName } from './host-name.ts';
import { readMoment } from './read-moment.ts';

const LINES_MAX = 2_000;
const LINE_MAX = 1_000;
const NAME_MAX = 256;
const LIST_MAX = 50;

type Field =
  | 'domain'
  | 'registrar'
  | 'registrant'
  | 'createdDate'
  | 'updatedDate'
  | 'expiresDate'
  | 'nameServers'
  | 'status'
  | 'handle'
  | 'referral';

/** RFC 3912 defines no format; these are the field names of the registries that have only WHOIS. */
const SPELLINGS: Readonly<Record<Field, readonly string[]>> = {
  domain: ['domain name', 'domain', 'domainname'],
  registrar: ['registrar', 'registrar name', 'sponsoring registrar', 'registrar organization'],
  registrant: [
    'registrant organization',
    'registrant organisation',
    'registrant name',
    'registrant',
    'holder',
    'domain holder',
    'owner',
    'owner name',
    'org',
  ],
  createdDate: [
    'creation date',
    'created',
    'created on',
    'created date',
    'created at',
    'registered',
    'registered on',
    'registered date',
    'registration date',
    'registration time',
    'domain registered',
    'record created',
  ],
  updatedDate: [
    'updated date',
    'updated',
    'updated on',
    'last updated',
    'last updated on',
    'last updated date',
    'last update',
    'last modified',
    'modified',
    'modification date',
    'changed',
  ],
  expiresDate: [
    'registry expiry date',
    'registrar registration expiration date',
    'expiry date',
    'expiration date',
    'expiration time',
    'expires',
    'expires on',
    'expires at',
    'expire date',
    'expire',
    'renewal date',
    'paid till',
    'valid until',
    'validity',
    'record expires on',
  ],
  nameServers: [
    'name server',
    'name servers',
    'nameserver',
    'nameservers',
    'nserver',
    'nservers',
    'dns',
    'host name',
  ],
  status: ['domain status', 'status', 'state', 'eppstatus', 'registration status'],
  handle: ['registry domain id', 'domain id', 'roid'],
  referral: ['refer', 'whois', 'whois server', 'referralserver'],
};
const FIELD_OF: ReadonlyMap<string, Field> = new Map(
  Object.entries(SPELLINGS).flatMap(([field, names]) => names.map((name) => [name, field as Field] as const)),
);

const ABSENT =
  /^(?:(?:domain )?(?:no match|not found|not registered|no entries found|no data found|no object found|nothing found|no matching record|no records? matching|no information available|no such domain|object does not exist|unknown|available$)|the queried object does not exist|this (?:domain|query) (?:name )?(?:is available|returned 0 objects)|(?:domain )?[\w.-]{1,253} (?:is free|is available|was not found|is not registered|no match|not found))/i;
const FREE = /^(?:free|available|not registered|no object found|unassigned)\b/i;
const REFUSED =
  /(?:limit|quota)\b.{0,40}\bexceed|exceed.{0,40}\b(?:limit|quota)|too many (?:requests|queries)|rate limit|access denied|\bblocked\b|try again later|request throttled/i;
const COMMENT = /^\s*[%#>]/;
/** Inside a section about a contact, these keys hold its name. */
const NAMES_OF_A_SECTION = new Set(['name', 'organization', 'organisation', 'org', 'organization name']);

export type WhoisText = ReadonlyMap<Field, readonly string[]>;

const linesOf = (text: string): string[] =>
  text.split(/\r\n|\n|\r/, LINES_MAX).map((line) => line.slice(0, LINE_MAX));

/**
 * Reads `key: value`, `key......: value`, `[key] value` and a key whose values follow below it up to an empty
 * line. Unknown keys are left out.
 */
export function readLines(text: string): WhoisText {
  const read = new Map<Field, string[]>();
  let open: Field | null = null;
  for (const line of linesOf(text)) {
    if (COMMENT.test(line)) continue;
    const { key, value, isBracketed } = splitLine(line);
    const field = fieldOf(key, value, isBracketed);
    if (line.trim() === '') open = null;
    else if (field !== null && value !== '') {
      add(read, field, value);
      open = null;
    } else if (field !== null) open = field;
    else if (open !== null && (key === value || NAMES_OF_A_SECTION.has(key))) add(read, open, value);
  }
  return read;
}

type Line = { readonly key: string; readonly value: string; readonly isBracketed: boolean };

/** A line without a key is its own value; a line that is only a known key opens a section. */
function splitLine(line: string): Line {
  const bracketed = /^\s*(?:[a-z]\. )?\[([^\]]{1,40})\]\s*(.*)$/.exec(line);
  if (bracketed !== null)
    return { key: plainKey(bracketed[1] ?? ''), value: (bracketed[2] ?? '').trim(), isBracketed: true };
  const colon = line.indexOf(':');
  if (colon !== -1)
    return { key: plainKey(line.slice(0, colon)), value: line.slice(colon + 1).trim(), isBracketed: false };
  const key = plainKey(line);
  return FIELD_OF.has(key)
    ? { key, value: '', isBracketed: false }
    : { key: line.trim(), value: line.trim(), isBracketed: false };
}

function fieldOf(key: string, value: string, isBracketed: boolean): Field | null {
  if (key === 'organization') return isBracketed ? 'registrant' : null;
  // `state` is part of a postal address, unless its value is a registration status.
  if (key === 'state' && !/registered|delegated/i.test(value)) return null;
  return FIELD_OF.get(key) ?? null;
}

const plainKey = (key: string): string =>
  key
    .toLowerCase()
    .replace(/[._\s-]+/g, ' ')
    .trim();

function add(read: Map<Field, string[]>, field: Field, value: string): void {
  const held = read.get(field);
  if (held === undefined) read.set(field, [value]);
  else if (held.length < LIST_MAX) held.push(value);
}

const saysAbsent = (text: string): boolean =>
  linesOf(text).some((line) => ABSENT.test(line.replace(/^[%#>*\s.-]{0,20}/, '')));

/** The server of a referral; only a plain name is accepted, never an address or another port. */
export function referralOf(lines: WhoisText): string | null {
  for (const value of lines.get('referral') ?? []) {
    const name = hostName(value);
    if (name !== null) return name;
  }
  return null;
}

/** Null when the registry says that the name does not exist. Throws for an unreadable answer. */
export function readWhois(text: string, name: string): Whois | null {
  const lines = readLines(text);
  const facts = factsOf(lines);
  const told = hostName(lines.get('domain')?.[0]);
  const isRegistered = facts.createdDate !== null || facts.registrar !== null || facts.nameServers.length > 0;
  if (!isRegistered) {
    if (saysAbsent(text) || facts.status.some((status) => FREE.test(status))) return null;
    if (REFUSED.test(text)) throw new ProviderFailure('upstream', 'The registry refuses our queries now.');
    const isAboutIt = told === name && (facts.status.length > 0 || facts.updatedDate !== null);
    if (!isAboutIt) throw new ProviderFailure('target', "The registry's answer could not be read.");
  }
  if (told !== null && told !== name)
    throw new ProviderFailure('target', `The registry answered about another object than '${name}'.`);
  return facts;
}

/** The domain comes before its contacts, which have their own dates, so the first of each field is the domain's. */
function factsOf(lines: WhoisText): Whois {
  const first = (field: Field): string | null => inertText(lines.get(field)?.[0], NAME_MAX);
  const moment = (field: Field): string | null =>
    (lines.get(field) ?? [])
      .map((value) => readMoment(value.replace(/ #\d+$/, '')))
      .find((each) => each !== null) ?? null;
  const list = (field: Field, read: (value: string) => string | null): string[] => [
    ...new Set((lines.get(field) ?? []).flatMap((value) => read(value) ?? [])),
  ];
  return {
    registrar: first('registrar'),
    registrant: first('registrant'),
    createdDate: moment('createdDate'),
    updatedDate: moment('updatedDate'),
    expiresDate: moment('expiresDate'),
    // Some registries add the address after the name.
    nameServers: list('nameServers', (value) => hostName(value.split(/[\s,[(]/, 1)[0])),
    status: list('status', (value) => inertText(value.replace(/(?<!\s)\s+\(?https?:\S*$/i, ''), NAME_MAX)),
    handle: first('handle'),
    source: 'whois',
  };
}
