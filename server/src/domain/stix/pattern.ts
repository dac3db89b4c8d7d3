import type { Domain, Hash, Ip, Url } from '#domain/indicator/index.ts';

/** What a STIX pattern is written for here. Ranges and e-mail addresses have none. */
export type StixSubject = Ip | Domain | Url | Hash;

/** A string literal of the pattern language (STIX 2.1 section 9.2): the backslash first, or it would escape our own. */
export const stixString = (value: string): string =>
  `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Keys with a hyphen must be quoted, MD5 need not be. */
const HASH_KEY: Readonly<Record<Hash['algorithm'], string>> = {
  md5: 'MD5',
  sha1: "'SHA-1'",
  sha256: "'SHA-256'",
};

/** Decisions 3.6. */
export const patternOf = (subject: StixSubject): string =>
  `[${pathOf(subject)} = ${stixString(subject.value)}]`;

function pathOf(subject: StixSubject): string {
  switch (subject.kind) {
    case 'ip':
      return subject.version === 4 ? 'ipv4-addr:value' : 'ipv6-addr:value';
    case 'domain':
      return 'domain-name:value';
    case 'url':
      return 'url:value';
    case 'hash':
      return `file:hashes.${HASH_KEY[subject.algorithm]}`;
  }
}
