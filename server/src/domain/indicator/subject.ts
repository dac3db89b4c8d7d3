import type { Domain, Indicator, Ip, SingleIndicator } from './indicator.ts';

/** `/check` and similar routes take one value and refuse a range (decisions 3.1). */
export const isSingle = (indicator: Indicator): indicator is SingleIndicator => indicator.kind !== 'cidr';

/**
 * The address or name whose listings also count for an indicator; null for a hash or a range. So `hxxps://evil.com/`
 * and `evil.com` get the same document (trap 14): both look up evil.com, and the URL's exact text adds to that only
 * when a source lists that page.
 */
export function hostOf(indicator: Indicator): Ip | Domain | null {
  switch (indicator.kind) {
    case 'ip':
    case 'domain':
      return indicator;
    case 'url':
      return indicator.host;
    case 'email':
      return indicator.domain;
    default:
      return null;
  }
}
