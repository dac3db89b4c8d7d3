import { isBogon, parseIndicator } from '#domain/indicator/index.ts';
import type { Addresses } from '../contract-names.ts';
import type { Observation } from '../observation.ts';

export const LIST_MAX = 50;
const NAME_MAX = 253;

/** Sorted, because a server that rotates its addresses would otherwise change the location of a name. */
export const sortedAddresses = (addresses: readonly string[]): string[] =>
  [...new Set(addresses)].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));

export const sortedNames = (names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => name !== '' && name.length <= NAME_MAX).sort();

/** Private and reserved addresses relate nothing: many unrelated names lead to 127.0.0.1 by mistake. */
export const observeAddresses = (subject: string, { a, aaaa }: Addresses): Observation[] =>
  [...a.map((pivot) => ({ pivot, recordType: 'A' })), ...aaaa.map((pivot) => ({ pivot, recordType: 'AAAA' }))]
    .filter(({ pivot }) => isPublic(pivot))
    .map((each) => ({ relation: 'resolves', subject, ...each }));

function isPublic(address: string): boolean {
  const parsed = parseIndicator(address);
  return parsed.ok && parsed.indicator.kind === 'ip' && !isBogon(parsed.indicator);
}
