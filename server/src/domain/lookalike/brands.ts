import { BRAND_TABLE, type OwnedBrand } from './brand-table.ts';

/** The most imitated brands of phishing lists, as registrable domains; checks and e-mail reports use them. */
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

/** True for a domain that the owner of a brand uses. */
export const isBrandOwned = (registrable: string): boolean => OWNERS.has(registrable);

const BY_BRAND: ReadonlyMap<string, OwnedBrand> = new Map(
  BRAND_TABLE.map((entry): [string, OwnedBrand] => [entry.domains[0] ?? '', entry]).toReversed(),
);

/** Country codes whose domains anyone may buy, and which look-alikes therefore use. */
const SOLD_CODES: ReadonlySet<string> = new Set(
  'ac ai cc cf cm co fm ga gg gq io la ly me ml nu pw sh st su tk to tv vc vu ws'.split(' '),
);
const LABEL_MIN = 4;
/** A shorter word of ordinary language may well belong to somebody else in another country. */
const WORD_LABEL_MIN = 5;

/**
 * `ikea.de`, `paypal.com.au`, `yahoo.ca`: the exact brand name under a country code, where trademark law keeps others from
 * it.
 */
function isNational(host: string, brand: string): boolean {
  const label = brand.slice(0, brand.indexOf('.'));
  const pieces = host.split('.');
  const country = pieces.at(-1) ?? '';
  const least = isWordBrand(brand) ? WORD_LABEL_MIN : LABEL_MIN;
  if (label.length < least || country.length !== 2 || SOLD_CODES.has(country)) return false;
  const own = /^(?:co|com|org|net|gob|gov)$/.test(pieces.at(-2) ?? '') ? pieces.at(-3) : pieces.at(-2);
  return own === label;
}

/** True if the domain belongs to the owner of the brand (named by its first domain) or to a member sharing it. */
export const ownsBrand = (host: string, brand: string): boolean => {
  for (let name = host; name !== ''; name = name.includes('.') ? name.slice(name.indexOf('.') + 1) : '')
    if (OWNERS.get(name)?.has(brand) === true) return true;
  const entry = BY_BRAND.get(brand);
  if (entry?.isShared === true) return sharesName(host, entry);
  return isNational(host, brand);
};

/** Members write the shared name at the start or the end of their own: sparkasse-ulm.de, stadtsparkasse-x.de. */
function sharesName(host: string, { names }: OwnedBrand): boolean {
  const pieces = host.split('.').slice(0, -1).at(-1)?.split('-') ?? [];
  return (
    /\.(?:de|at|ch|it|lu)$/.test(host) &&
    names.some((name) => pieces.some((piece) => piece.endsWith(name.toLowerCase())))
  );
}

/** The brand's name is also a word or a family name, so its presence inside another name proves little. */
export const isWordBrand = (brand: string): boolean => BY_BRAND.get(brand)?.isWord === true;

const COMMON_PARTS: ReadonlySet<string> = new Set(
  BRAND_TABLE.flatMap(({ domains, isCommonPart }) => (isCommonPart ? domains.slice(0, 1) : [])),
);
/** The brand's label occurs inside many names of unrelated owners. */
export const isCommonPart = (brand: string): boolean => COMMON_PARTS.has(brand);
