import type { StixKind } from '#domain/stix/index.ts';

/** The shared collections (contract 4.7). The place of each is its bit in stored masks: never change the order. */
const SHARED = {
  'malicious-ips': 'Malicious IP addresses',
  'malicious-domains': 'Malicious domains',
  'c2-indicators': 'Command and control: addresses, domains, URLs and file hashes',
  'phishing-indicators': 'Phishing: addresses, domains, URLs and file hashes',
} as const;
const ORGANIZATION = {
  'org-reported-ips': 'IP addresses that your organization reports',
  'org-reported-domains': 'Domains that your organization reports',
  'org-reported-file-hashes': 'File hashes that your organization reports',
} as const;

export type SharedId = keyof typeof SHARED;
export type OrganizationId = keyof typeof ORGANIZATION;
export const SHARED_IDS = Object.keys(SHARED) as readonly SharedId[];
export const bitOf = (id: SharedId): number => 1 << SHARED_IDS.indexOf(id);

const ENTITY_TYPES: Readonly<Record<OrganizationId, 'ip' | 'domain' | 'hash'>> = {
  'org-reported-ips': 'ip',
  'org-reported-domains': 'domain',
  'org-reported-file-hashes': 'hash',
};
const TWIN = '-observables';

type Described = {
  /** As it was asked for, with the suffix of a twin. */
  readonly id: string;
  readonly title: string;
  /** A twin shows each indicator as observed-data, and never shows revocations. */
  readonly isTwin: boolean;
};
export type Collection = Described &
  (
    | { readonly owner: 'shared'; readonly base: SharedId; readonly bit: number }
    | {
        readonly owner: 'organization';
        readonly base: OrganizationId;
        readonly entityType: 'ip' | 'domain' | 'hash';
      }
  );

const isIn = <T extends object>(of: T, id: string): id is keyof T & string => Object.hasOwn(of, id);

/** Undefined for an id that no collection has. */
export function findCollection(id: string): Collection | undefined {
  const isTwin = id.endsWith(TWIN);
  const base = isTwin ? id.slice(0, -TWIN.length) : id;
  const described = (title: string): Described => ({
    id,
    isTwin,
    title: isTwin ? `${title}, as observed data` : title,
  });
  if (isIn(SHARED, base)) return { ...described(SHARED[base]), owner: 'shared', base, bit: bitOf(base) };
  if (isIn(ORGANIZATION, base))
    return { ...described(ORGANIZATION[base]), owner: 'organization', base, entityType: ENTITY_TYPES[base] };
  return undefined;
}

/** Twins are not listed (contract 4.7). */
export const listCollections = (
  hasOrganization: boolean,
): readonly { readonly id: string; readonly title: string }[] =>
  [SHARED, hasOrganization ? ORGANIZATION : {}].flatMap((group) =>
    Object.entries(group).map(([id, title]) => ({ id, title: String(title) })),
  );

/** The bits of the collections that hold an exported indicator of this kind with these categories. */
export function collectionsHolding(kind: StixKind, categories: readonly string[]): number {
  let bits = 0;
  if (kind === 'ip') bits |= bitOf('malicious-ips');
  if (kind === 'domain') bits |= bitOf('malicious-domains');
  if (categories.includes('c2')) bits |= bitOf('c2-indicators');
  if (categories.includes('phishing')) bits |= bitOf('phishing-indicators');
  return bits;
}
