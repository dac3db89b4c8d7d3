import { uuid5 } from './uuid5.ts';

/** Ours alone, and never to change: every id that anybody has stored was made with it. */
const NAMESPACE = 'f1465a7b-9d22-4ed7-a21e-8469e377844d';

export const STIX_KINDS = ['ip', 'domain', 'url', 'hash'] as const;
/** The kinds that leave as STIX; IPv4 and IPv6 are one, as they are everywhere in the API. */
export type StixKind = (typeof STIX_KINDS)[number];

/** O12: one id per value, in every collection and in every copy. `value` is the canonical text. */
export const stixId = (kind: StixKind, value: string): string =>
  `indicator--${uuid5(NAMESPACE, `${kind}|${value}`)}`;

/**
 * O12: an organization's own indicator. `n` rises by one at each restore, because a revocation in STIX is for good: a
 * restored value is a new object. Throws on what could be read as a shared name, so that the two never coincide.
 */
export function stixIdOfOrganization(organization: string, kind: StixKind, value: string, n: number): string {
  const isAmbiguous = organization.includes('|') || STIX_KINDS.some((each) => each === organization);
  if (organization === '' || isAmbiguous) throw new Error('An organization id is needed, such as org_01.');
  if (!Number.isSafeInteger(n) || n < 0) throw new Error('The number of restores is a whole number from 0.');
  return `indicator--${uuid5(NAMESPACE, `${organization}|${kind}|${value}|${n}`)}`;
}
