import type { Cidr4, Cidr6, Domain, Hash, Ip, Url } from '#domain/indicator/index.ts';

/** The subjects that have a STIX pattern here; e-mail addresses have none. */
export type StixSubject = Ip | Cidr4 | Cidr6 | Domain | Url | Hash;

/** A string literal (STIX 2.1 section 9.2). Backslashes are escaped first, so that those added for quotes stay. */
export const stixString = (value: string): string =>
  `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Keys with a hyphen must be quoted. */
const HASH_KEY: Readonly<Record<Hash['algorithm'], string>> = {
  md5: 'MD5',
  sha1: "'SHA-1'",
  sha256: "'SHA-256'",
};

/** The patterns of decisions 3.6. A range matches every address in it, which only ISSUBSET says (STIX 2.1 section 9.6). */
export const patternOf = (subject: StixSubject): string =>
  `[${pathOf(subject)} ${subject.kind === 'cidr' ? 'ISSUBSET' : '='} ${stixString(subject.value)}]`;

function pathOf(subject: StixSubject): string {
  switch (subject.kind) {
    case 'ip':
    case 'cidr':
      return subject.version === 4 ? 'ipv4-addr:value' : 'ipv6-addr:value';
    case 'domain':
      return 'domain-name:value';
    case 'url':
      return 'url:value';
    case 'hash':
      return `file:hashes.${HASH_KEY[subject.algorithm]}`;
  }
}
