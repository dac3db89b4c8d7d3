import { BRAND_TABLE } from './brand-table.ts';

/** The names imitated most in lists of phishing pages, by registrable domain, which checks and e-mail reports compare with. */
export const BRANDS: readonly string[] = [
  ...new Set(BRAND_TABLE.flatMap(({ domains }) => domains.slice(0, 1))),
];

const OWNERS: ReadonlyMap<string, ReadonlySet<string>> = ownersByDomain();

function ownersByDomain(): Map<string, Set<string>> {
  const owners = new Map<string, Set<string>>();
  for (const { domains } of BRAND_TABLE)
    for (const domain of domains) {
      const known = owners.get(domain) ?? new Set();
      known.add(domains[0] ?? '');
      owners.set(domain, known);
    }
  return owners;
}

/** One of the domains that the owners of the brands use themselves. */
export const isBrandOwned = (registrable: string): boolean => OWNERS.has(registrable);

/** The domain belongs to the owner of the brand, which is named by its first domain. */
export const ownsBrand = (host: string, brand: string): boolean => {
  for (let name = host; name !== ''; name = name.includes('.') ? name.slice(name.indexOf('.') + 1) : '')
    if (OWNERS.get(name)?.has(brand) === true) return true;
  return false;
};

const COMMON_PARTS: ReadonlySet<string> = new Set(
  BRAND_TABLE.flatMap(({ domains, isCommonPart }) => (isCommonPart ? domains.slice(0, 1) : [])),
);
/** Its label occurs inside many names of others. */
export const isCommonPart = (brand: string): boolean => COMMON_PARTS.has(brand);
