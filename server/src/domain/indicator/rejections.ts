import type { Indicator, Listable } from './indicator.ts';

/** The reasons for refusing a text, one sentence each for the caller; constant, so that feed runs can count them. */
export const REJECTIONS = {
  empty: 'Nothing was sent; send an IP address, domain, URL or file hash.',
  tooLong: 'The value is longer than 2,048 characters; send one IP address, domain, URL or file hash.',
  tooNested: 'The value is wrapped in too many layers of brackets or quotes; send it without them.',
  unrecognized: 'This is not an IP, domain, URL or hash; send one of those, defanged or not.',
  otherScheme: 'Only http, https and ftp URLs are supported; send one of those, or the host name alone.',
  missingScheme:
    'A path needs a scheme in front; write http:// or https:// before it, or send the host name alone.',
  brokenUrl: 'This URL has no usable host or port; send it as scheme://host/path.',
  urlTooLong: 'This URL is longer than 2,048 characters once encoded; send its host name instead.',
  ipv4Range:
    'An IPv4 address has four numbers from 0 to 255, separated by dots; correct the one that is not.',
  ipv4Ambiguous:
    'Leading zeros, hexadecimal and shortened IPv4 forms are read differently by different programs; write four decimal numbers, such as 192.0.2.1.',
  ipv6: 'This is not a valid IPv6 address; write it as in 2001:db8::1.',
  zone: 'An IPv6 zone such as %eth0 has a meaning on one machine only; send the address without it.',
  prefix:
    'A range needs a prefix length from 0 to 32 for IPv4 or 0 to 128 for IPv6; write it as in 192.0.2.0/24.',
  port: 'A port is a number from 0 to 65535; correct it or send the address without one.',
  sha512: 'SHA-512 is not supported; send the MD5, SHA-1 or SHA-256 of the same file.',
  sha384: 'SHA-384 is not supported; send the MD5, SHA-1 or SHA-256 of the same file.',
  sha224: 'SHA-224 is not supported; send the MD5, SHA-1 or SHA-256 of the same file.',
  otherHash:
    'No supported file hash has this length; send an MD5 (32), SHA-1 (40) or SHA-256 (64 hexadecimal digits).',
  email: 'This is not a valid e-mail address; write it as in name@example.com.',
  singleLabel: 'A single word is not a domain; send the full name, such as example.com.',
  unknownSuffix: 'This name does not end in a public suffix; send a name that exists on the public internet.',
  reservedName:
    'Standards reserve this name (RFC 2606, RFC 6761), so it has no owner on the public internet and no reputation.',
  isSuffix: 'This is a public suffix under which others register names; send one of those names instead.',
  domainTooLong: 'A domain has at most 253 characters and 63 in each label; send a shorter name.',
  domainLabel:
    'A domain label is made of letters, digits, hyphens and underscores and neither starts nor ends with a hyphen; correct the name.',
  fileName:
    'This may be a file name as well as a domain; write it with http:// in front or as in name[.]zip if the domain is meant.',
  idn: 'This internationalized name has characters that domain names may not contain; correct the name.',
  asn: 'An autonomous system is a number from 1 to 4294967295; write it as in AS64500.',
  crypto: 'This is not an address of a supported cryptocurrency; send it as the chain writes it.',
  phone: 'A phone number has 7 to 15 digits and starts with its country code; write it as in +14155552671.',
} as const;

export type Rejection = { readonly ok: false; readonly reason: string };

/** The result of a parser for one kind; null means that the text is of another kind. */
export type Attempt<T extends Indicator> = { readonly ok: true; readonly indicator: T } | Rejection | null;

export const reject = (name: keyof typeof REJECTIONS): Rejection => ({ ok: false, reason: REJECTIONS[name] });

export const accept = <T extends Listable>(indicator: T): { readonly ok: true; readonly indicator: T } => ({
  ok: true,
  indicator,
});
