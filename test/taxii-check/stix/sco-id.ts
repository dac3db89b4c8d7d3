import { createHash } from 'node:crypto';

/** The namespace of deterministic observable ids (STIX 2.1 section 2.9). */
const NAMESPACE = Buffer.from('00abedb4aa42466c9c01fed23315a9b7', 'hex');

/** The properties that make the id of an observable, by type (STIX 2.1 section 6). */
const CONTRIBUTING: Readonly<Record<string, readonly string[]>> = {
  artifact: ['hashes', 'payload_bin'],
  'autonomous-system': ['number'],
  directory: ['path'],
  'domain-name': ['value'],
  'email-addr': ['value'],
  'email-message': ['from_ref', 'subject', 'body'],
  file: ['hashes', 'name', 'parent_directory_ref', 'extensions'],
  'ipv4-addr': ['value'],
  'ipv6-addr': ['value'],
  'mac-addr': ['value'],
  mutex: ['name'],
  'network-traffic': [
    'start',
    'end',
    'src_ref',
    'dst_ref',
    'src_port',
    'dst_port',
    'protocols',
    'extensions',
  ],
  software: ['name', 'cpe', 'swid', 'vendor', 'version'],
  url: ['value'],
  'user-account': ['account_type', 'user_id', 'account_login'],
  'windows-registry-key': ['key', 'values'],
  'x509-certificate': ['hashes', 'serial_number'],
};
/** Of several hashes only one makes the id, in this order of preference. */
const HASHES = ['MD5', 'SHA-1', 'SHA-256', 'SHA-512'];

/** The deterministic id of an observable; null where its type or its properties give none. */
export function scoIdOf(object: Readonly<Record<string, unknown>>): string | null {
  const type = String(object.type);
  const names = CONTRIBUTING[type]?.filter((name) => object[name] !== undefined) ?? [];
  if (names.length === 0) return null;
  const parts = Object.fromEntries(
    names.map((name) => [name, name === 'hashes' ? oneHash(object[name]) : object[name]]),
  );
  return `${type}--${uuid5(canonical(parts))}`;
}

function oneHash(hashes: unknown): unknown {
  if (typeof hashes !== 'object' || hashes === null) return hashes;
  const [name, value] =
    HASHES.map((wanted) => [wanted, (hashes as Record<string, unknown>)[wanted]] as const).find(
      ([, found]) => found !== undefined,
    ) ??
    Object.entries(hashes).toSorted(([a], [b]) => (a < b ? -1 : 1))[0] ??
    [];
  return name === undefined ? {} : { [name]: value };
}

/** RFC 8785: properties in the order of their UTF-16 units, numbers and strings as ECMAScript writes them. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`;
}

function uuid5(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
