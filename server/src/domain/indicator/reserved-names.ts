/** Names that RFC 2606, RFC 6761, RFC 6762, RFC 8375 and RFC 9476 keep out of the public name space. */
const RESERVED_SUFFIXES: ReadonlySet<string> = new Set([
  'test',
  'example',
  'invalid',
  'localhost',
  'local',
  'alt',
  'internal',
]);

export const endsInReserved = (name: string): boolean =>
  RESERVED_SUFFIXES.has(name.slice(name.lastIndexOf('.') + 1));

/**
 * The names for examples (RFC 2606 section 3), with `www.` too, and the zone of home networks (RFC 8375). A name below
 * example.com can be published and listed by mistake, so it is answered like any other.
 */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'example.com',
  'example.net',
  'example.org',
  'www.example.com',
  'www.example.net',
  'www.example.org',
]);

/** True if the name is reserved, so no reputation applies. `.onion` is not: hidden services answer and are listed. */
export const isReservedName = (name: string): boolean =>
  RESERVED_NAMES.has(name) || name.endsWith('.home.arpa');
