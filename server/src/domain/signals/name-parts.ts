import { icannSuffixOf, platformAround } from '../indicator/index.ts';

/**
 * The part of a host that its owner chose. An own domain is judged by its registrable name alone, because lists of good
 * names hold no names below it; a tenant of a platform by everything left of the platform.
 */
export type NameParts = {
  readonly text: string;
  readonly suffix: string;
  readonly isTenant: boolean;
};

export const namePartsOf = (host: string): NameParts | null => {
  const platform = platformAround(host);
  return partsOf(host, platform, platform === null ? (icannSuffixOf(host)?.registrable ?? null) : null);
};

/** For a host whose platform and registrable domain are known already. */
export function partsOf(host: string, platform: string | null, registrable: string | null): NameParts | null {
  if (platform !== null) {
    const text = withoutWww(host.slice(0, Math.max(0, host.length - platform.length - 1)));
    // The label `www` alone is the platform's own site.
    return text === '' || text === 'www' ? null : { text, suffix: platform, isTenant: true };
  }
  if (registrable === null) return null;
  // A punycode name is not judged, because its letters are not those that a reader sees.
  if (registrable.startsWith(ENCODED)) return null;
  const dot = registrable.indexOf('.');
  return { text: registrable.slice(0, dot), suffix: registrable.slice(dot + 1), isTenant: false };
}

const ENCODED = 'xn--';
const WWW = 'www.';
const withoutWww = (text: string): string => (text.startsWith(WWW) ? text.slice(WWW.length) : text);

/** The owner's name as one value, equal for all hosts that are judged alike. */
export const ownedName = ({ text, suffix }: NameParts): string => `${text}.${suffix}`;
