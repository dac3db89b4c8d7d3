import { extractIndicators, REJECTIONS } from '../indicator/index.ts';

const LINKED = /:\/\/|\bwww\./i;
/** Dots that NFKC leaves and that browsers read as the dot of a domain. */
const OTHER_DOTS = /[\u2024\u3002\uff61]/g;

export const NAME_HOLDS_ADDRESS =
  'The name of an organization cannot contain a domain, an IP address, a URL or an email address, because invitations by email show it. Remove it from the name.';

/**
 * Whether a name contains something that a reader could follow: what our own extractor finds in it, written in any way. A dot between
 * parts that end in no public suffix, as in "St.Gallen", is none.
 */
export function holdsAddress(name: string): boolean {
  const plain = name.normalize('NFKC').replaceAll(OTHER_DOTS, '.');
  if (LINKED.test(plain)) return true;
  const { found, rejected } = extractIndicators(plain);
  return (
    found.some(({ indicator: { kind } }) => ADDRESSES.has(kind)) ||
    rejected.some(({ reason }) => reason === REJECTIONS.fileName || reason === REJECTIONS.reservedName)
  );
}

const ADDRESSES: ReadonlySet<string> = new Set(['ip', 'cidr', 'domain', 'url', 'email']);
