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

/** True when the name is itself one under which strangers get names, such as `github.io`. */
export const isPrivateSuffix = (host: string): boolean => platformSuffix(host) === host;
