import { parse } from 'tldts';
import { TENANT_PLATFORMS } from './tenant-platforms.ts';

/** The name has been validated already; tldts only looks up its suffix. */
const SKIP_CHECKS = { extractHostname: false, validateHostname: false, detectIp: false, mixedInputs: false };
const ICANN = { ...SKIP_CHECKS, allowPrivateDomains: false };
const WITH_PRIVATE = { ...SKIP_CHECKS, allowPrivateDomains: true };

export type Suffix = {
  readonly registrable: string | null;
};

/** By the ICANN section of the public suffix list; null when the name ends in no known suffix. */
export function icannSuffixOf(host: string): Suffix | null {
  const { isIcann, domain } = parse(host, ICANN);
  return isIcann === true ? { registrable: domain } : null;
}

/** By the list's private section: `github.io` for `a.b.github.io`; null for names outside such platforms. */
export function platformSuffix(host: string): string | null {
  const { isPrivate, publicSuffix } = parse(host, WITH_PRIVATE);
  return isPrivate === true ? publicSuffix : null;
}

const UNLIKELY_LABEL = 'assay-0-no-such-customer';

/** Looks up the suffix of an invented name below the host: one lookup instead of two, for every listed name. */
function placeOf(host: string): 'wildcard' | 'suffix' | null {
  const customer = `${UNLIKELY_LABEL}.${host}`;
  const { isPrivate, publicSuffix } = parse(customer, WITH_PRIVATE);
  if (isPrivate !== true) return null;
  // The rule `*.localto.net` makes every name directly below localto.net a suffix.
  if (publicSuffix === customer) return 'wildcard';
  return publicSuffix === host ? 'suffix' : null;
}

/**
 * The platform that the host is or lies below. The base of a wildcard (`user.fm` of `*.user.fm`) is no suffix, but
 * strangers register names under it as well. One lookup in the list, because every judged name needs it.
 */
export function platformAround(host: string): string | null {
  const customer = `${UNLIKELY_LABEL}.${host}`;
  const { isPrivate, publicSuffix } = parse(customer, WITH_PRIVATE);
  if (isPrivate === true) return publicSuffix === customer ? host : publicSuffix;
  return ownTableSuffix(host);
}

/** The name of our own table that the host is or lies below. */
function ownTableSuffix(host: string): string | null {
  for (let start = 0; ; ) {
    const name = start === 0 ? host : host.slice(start);
    if (TENANT_PLATFORMS.has(name)) return name;
    const dot = host.indexOf('.', start);
    if (dot < 0) return null;
    start = dot + 1;
  }
}

/**
 * The platform of a host that is a customer's name there; null for the platform itself, and for its `www`, which the
 * operator has.
 */
export function tenantPlatform(host: string): string | null {
  const platform = platformAround(host);
  return platform === null || host === platform || host === `${WWW}${platform}` ? null : platform;
}
const WWW = 'www.';

/**
 * True for the platform itself: a name in the list's private section, the base of a wildcard there, or a platform that
 * the list lacks. A name that is a suffix only by the wildcard (`7f3a.localto.net`) belongs to one customer, so it may be
 * listed.
 */
export function isPlatformRoot(host: string): boolean {
  if (TENANT_PLATFORMS.has(host)) return true;
  const place = placeOf(host);
  return (
    place === 'wildcard' || (place === 'suffix' && placeOf(host.slice(host.indexOf('.') + 1)) !== 'wildcard')
  );
}
