import {
  BRAND_TABLE,
  BRANDS,
  type BrandWord,
  belongsTo,
  brandInText,
  brandWord,
  hasLureWord,
  isBrandOfPlatform,
  ownLabels,
  readableLabel,
  skeletonOf,
} from '../lookalike/index.ts';

/**
 * How a name uses the brand of somebody else. `domainLeft`: the brand's domain stands left of a foreign one. `withLure`: an
 * own domain joins the brand to a phishing keyword, or two names of one brand. `swapped`: the domain is the brand's with
 * similar letters or digits. `onPlatform`: a tenant's name has the brand and a phishing keyword.
 */
export const BRAND_TECHNIQUES = ['domainLeft', 'withLure', 'swapped', 'onPlatform'] as const;
export type BrandTechnique = (typeof BRAND_TECHNIQUES)[number];

export type BrandSignal = {
  readonly technique: BrandTechnique;
  /** The brand as its owner writes it; for `domainLeft` and `swapped` its domain. */
  readonly brand: string;
};

/** A name, the platform that it is a tenant of, and the text that the tenant chose. */
export type PosingName = {
  readonly host: string;
  readonly registrable: string | null;
  readonly tenant: { readonly platform: string; readonly text: string } | null;
};

/** Needs no training. Null for a name that uses no brand, or the brand of its own owner. */
export function brandSignalOf(name: PosingName): BrandSignal | null {
  const found = poseOf(name);
  return found === null || mirrorsOthers(name.host) ? null : found;
}

function poseOf({ host, registrable, tenant }: PosingName): BrandSignal | null {
  if (registrable === null) return null;
  const left = domainLeft(host, registrable);
  if (left !== null) return { technique: 'domainLeft', brand: left };
  if (tenant !== null) return onPlatform(host, tenant);
  const label = registrable.slice(0, registrable.indexOf('.'));
  const swapped = swappedDomain(host, label);
  if (swapped !== null) return { technique: 'swapped', brand: swapped };
  const joined = joinedBrand(host, label);
  return joined === null ? null : { technique: 'withLure', brand: joined };
}

/**
 * Services that put the names of other sites left of their own: proxies of companies, translation, content delivery, and lists
 * that are asked by DNS.
 */
const MIRRORS: ReadonlySet<string> = new Set(
  `mcas.ms cas.ms mcas-gov.us goskope.com myshn.net translate.goog
  akadns.net akamai.net akamaiedge.net akamaized.net cdn.cloudflare.net cdngc.net edgekey.net edgesuite.net footprint.net
  incapdns.net lxdns.com spamhaus.org surbl.org uribl.com`.split(/\s+/),
);

function mirrorsOthers(host: string): boolean {
  // `paypal.com._report._dmarc.example.org` is a record and no site.
  if (host.startsWith('_') || host.includes('._')) return true;
  for (let name = host; name !== ''; name = name.includes('.') ? name.slice(name.indexOf('.') + 1) : '')
    if (MIRRORS.has(name)) return true;
  return false;
}

const DOMAIN_MIN = 7;
const OWNERS_OF_DOMAIN: ReadonlyMap<string, readonly string[]> = ownersOfDomain();

function ownersOfDomain(): Map<string, readonly string[]> {
  const owners = new Map<string, readonly string[]>();
  for (const { domains } of BRAND_TABLE)
    for (const domain of domains)
      if (domain.length >= DOMAIN_MIN)
        owners.set(domain, [...(owners.get(domain) ?? []), ...domains.slice(0, 1)]);
  return owners;
}

/** The brand's domain that consecutive labels left of the registrable name spell. */
function domainLeft(host: string, registrable: string): string | null {
  if (host.length - registrable.length <= DOMAIN_MIN) return null;
  const labels = host.slice(0, host.length - registrable.length - 1).split('.');
  for (let from = 0; from + 1 < labels.length; from += 1)
    for (const count of [2, 3]) {
      const domain = labels.slice(from, from + count).join('.');
      const owners = OWNERS_OF_DOMAIN.get(domain);
      if (owners !== undefined && !belongsTo(host, { owners })) return domain;
    }
  return null;
}

/** The platform's own brand never counts: `xfinityservice.godaddysites.com` poses as Xfinity, not as GoDaddy. */
export function brandOfTenant(
  host: string,
  { platform, text }: NonNullable<PosingName['tenant']>,
): BrandWord | null {
  return brandInText(text, (brand) => !isBrandOfPlatform(brand.word, platform) && !belongsTo(host, brand));
}

function onPlatform(host: string, tenant: NonNullable<PosingName['tenant']>): BrandSignal | null {
  if (!hasLureWord(tenant.text)) return null;
  const brand = brandOfTenant(host, tenant);
  return brand === null ? null : { technique: 'onPlatform', brand: brand.name };
}

const SWAPPED_MIN = 5;
type Imitable = { readonly label: string; readonly domain: string; readonly isFirst: boolean };
const BY_SKELETON: ReadonlyMap<string, readonly Imitable[]> = labelsBySkeleton();

function labelsBySkeleton(): Map<string, readonly Imitable[]> {
  const first = new Set(BRANDS);
  const labels = new Map<string, readonly Imitable[]>();
  for (const domain of new Set([...first, ...BRAND_TABLE.flatMap(({ domains }) => domains)])) {
    const label = ownLabels(domain).at(-1) ?? '';
    if (label.length < SWAPPED_MIN) continue;
    const look = skeletonOf(label);
    labels.set(look, [...(labels.get(look) ?? []), { label, domain, isFirst: first.has(domain) }]);
  }
  return labels;
}

/** A letter that no label of the brand table would be written with by chance. */
const ODD_LETTER = /[^a-z-]/;

/**
 * The brand's domain that a registered label looks like without being its label. Letters alone (`allexpress`, `lcloud`) are
 * often the name of somebody else, so they count for the first domain of a brand only.
 */
function swappedDomain(host: string, label: string): string | null {
  const alike = BY_SKELETON.get(skeletonOf(label));
  if (alike === undefined) return null;
  const text = readableLabel(label);
  if (alike.some((one) => one.label === text)) return null;
  const isOdd = ODD_LETTER.test(text);
  const found = alike.find(({ domain, isFirst }) => (isFirst || isOdd) && !isOwned(host, domain));
  return found?.domain ?? null;
}

const isOwned = (host: string, domain: string): boolean =>
  belongsTo(host, { owners: OWNERS_OF_DOMAIN.get(domain) ?? [domain] });

type Span = { readonly from: number; readonly to: number; readonly brand: BrandWord };

/** The brand that a label with hyphens joins to a phishing keyword, or to another name of the same brand. */
function joinedBrand(host: string, label: string): string | null {
  if (!label.includes('-')) return null;
  const pieces = label.split('-');
  const spans = brandSpans(pieces).filter(({ brand }) => !belongsTo(host, brand));
  const found = spans.find(
    (span) =>
      hasLureWord([...pieces.slice(0, span.from), '', ...pieces.slice(span.to)].join('-')) ||
      spans.some((other) => other.from >= span.to && isSameBrand(span.brand, other.brand)),
  );
  return found?.brand.name ?? null;
}

/** Brands as one piece, or as two joined: `wells-fargo`. */
function brandSpans(pieces: readonly string[]): readonly Span[] {
  return pieces.flatMap((piece, from) =>
    [1, 2].flatMap((count) => {
      const text = count === 1 ? piece : `${piece}${pieces[from + 1] ?? '-'}`;
      const brand = brandWord(text);
      return brand === null ? [] : [{ from, to: from + count, brand }];
    }),
  );
}

const isSameBrand = (one: BrandWord, other: BrandWord): boolean =>
  one.word !== other.word && one.owners.some((owner) => other.owners.includes(owner));
