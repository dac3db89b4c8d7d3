import { isBogon, parseIndicator } from '#domain/indicator/index.ts';
import type { Addresses } from '../contract-names.ts';
import type { Observation } from '../observation.ts';

export const LIST_MAX = 50;
const NAME_MAX = 253;

/** In one order: a server that deals its addresses out in turn would otherwise move a name around the world. */
export const sortedAddresses = (addresses: readonly string[]): string[] =>
  [...new Set(addresses)].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));

/** Names of servers, each once; what is no name of the public DNS any more is left out. */
export const sortedNames = (names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => name !== '' && name.length <= NAME_MAX).sort();

/** Private and reserved addresses tie nothing together: half the world's mistakes lead to 127.0.0.1. */
export const observeAddresses = (subject: string, { a, aaaa }: Addresses): Observation[] =>
  [...a.map((pivot) => ({ pivot, recordType: 'A' })), ...aaaa.map((pivot) => ({ pivot, recordType: 'AAAA' }))]
    .filter(({ pivot }) => isPublic(pivot))
    .map((each) => ({ relation: 'resolves', subject, ...each }));

function isPublic(address: string): boolean {
  const parsed = parseIndicator(address);
  return parsed.ok && parsed.indicator.kind === 'ip' && !isBogon(parsed.indicator);
}
