export { addExcluded, type Excluded, excludedSum, NOTHING_EXCLUDED } from './excluded.ts';

/** What a shared list holds. */
export type ListKind = 'addresses' | 'names';

/** The eight shared lists (contract 2.8). The place of a list is its bit in stored masks, so the order is never changed. */
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
