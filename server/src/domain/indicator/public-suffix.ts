import { parse } from 'tldts';

/** The name has been checked already: tldts is asked for its suffix only. */
const SKIP_CHECKS = { extractHostname: false, validateHostname: false, detectIp: false, mixedInputs: false };
const ICANN = { ...SKIP_CHECKS, allowPrivateDomains: false };
const WITH_PRIVATE = { ...SKIP_CHECKS, allowPrivateDomains: true };

export type Suffix = {
  /** The registrable domain, or null when the name is itself a suffix. */
  readonly registrable: string | null;
};

/** By the public suffix list's ICANN section; null when the name ends in no known suffix. */
export function icannSuffixOf(host: string): Suffix | null {
  const { isIcann, domain } = parse(host, ICANN);
  return isIcann === true ? { registrable: domain } : null;
}

/** The list's private section: `github.io` for `a.b.github.io`; null where nobody rents out names. */
export function platformSuffix(host: string): string | null {
  const { isPrivate, publicSuffix } = parse(host, WITH_PRIVATE);
  return isPrivate === true ? publicSuffix : null;
}

/** No registry and no platform hands out this label. */
const UNLIKELY_LABEL = 'assay-0-no-such-customer';

/** One question instead of two, because every listed name is asked: what would a customer's name below it end in? */
function placeOf(host: string): 'wildcard' | 'suffix' | null {
  const customer = `${UNLIKELY_LABEL}.${host}`;
  const { isPrivate, publicSuffix } = parse(customer, WITH_PRIVATE);
  if (isPrivate !== true) return null;
  // `*.localto.net` makes whatever stands in front of localto.net a suffix of its own.
  if (publicSuffix === customer) return 'wildcard';
  return publicSuffix === host ? 'suffix' : null;
}

/**
 * True for the platform itself: a name the list's private section gives, or the base of a wildcard there. A name that is
 * a suffix by the wildcard alone (`7f3a.localto.net`) is one customer's own, so it may be listed.
 */
export function isPlatformRoot(host: string): boolean {
  const place = placeOf(host);
  return (
    place === 'wildcard' || (place === 'suffix' && placeOf(host.slice(host.indexOf('.') + 1)) !== 'wildcard')
  );
}
