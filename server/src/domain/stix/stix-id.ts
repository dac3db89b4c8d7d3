import { uuid5 } from './uuid5.ts';

/** Must never change: every id that a client has stored was made with it. */
export const NAMESPACE = 'f1465a7b-9d22-4ed7-a21e-8469e377844d';

export const STIX_KINDS = ['ip', 'domain', 'url', 'hash'] as const;
/** The kinds exported as STIX; IPv4 and IPv6 are one kind, as everywhere in the API. */
export type StixKind = (typeof STIX_KINDS)[number];

/** The kind in the name of an id. A range counts as `ip`, because no range is written like an address. */
export const stixKindOf = (kind: StixKind | 'cidr'): StixKind => (kind === 'cidr' ? 'ip' : kind);

/** One id for each value, in every collection and every copy (O12). `value` is the canonical text. */
export const stixId = (kind: StixKind, value: string): string =>
  `indicator--${uuid5(NAMESPACE, `${kind}|${value}`)}`;

/**
 * The id of an organization's own indicator (O12). `n` rises by one at each restore, because a STIX revocation is
 * final: a restored value is a new object. Throws on an organization id that could be read as a kind, so that the two
 * namespaces never overlap.
 */
export function stixIdOfOrganization(organization: string, kind: StixKind, value: string, n: number): string {
  const isAmbiguous = organization.includes('|') || STIX_KINDS.some((each) => each === organization);
  if (organization === '' || isAmbiguous) throw new Error('An organization id is needed, such as org_01.');
  if (!Number.isSafeInteger(n) || n < 0) throw new Error('The number of restores is a whole number from 0.');
  return `indicator--${uuid5(NAMESPACE, `${organization}|${kind}|${value}|${n}`)}`;
}
