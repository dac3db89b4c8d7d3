export type ListKind = 'addresses' | 'names';

/** The eight shared lists (contract 2.8). A file name is looked up here and never joined to a path. */
const KINDS = {
  'blocklist-ips-critical.txt': 'addresses',
  'blocklist-ips-all.txt': 'addresses',
  'blocklist-ips-c2.txt': 'addresses',
  'blocklist-ips-botnet.txt': 'addresses',
  'blocklist-domains-phishing.txt': 'names',
  'blocklist-domains-malware.txt': 'names',
  'blocklist-domains-ransomware.txt': 'names',
  'blocklist-domains-all.txt': 'names',
} as const satisfies Record<string, ListKind>;

export type ListName = keyof typeof KINDS;

export const LIST_NAMES = Object.keys(KINDS) as readonly ListName[];

export const isListName = (text: string): text is ListName => Object.hasOwn(KINDS, text);

export const kindOfList = (list: ListName): ListKind => KINDS[list];

/** `ips-all` of `blocklist-ips-all.txt`: what sets, tables and zones are called after. */
export const shortNameOf = (list: ListName): string => list.slice('blocklist-'.length, -'.txt'.length);
