import type { Domain, Indicator, Ip, SingleIndicator } from './indicator.ts';

/** A range is an indicator of its own; `/check` and its like want one thing and refuse it (decisions 3.1). */
export const isSingle = (indicator: Indicator): indicator is SingleIndicator => indicator.kind !== 'cidr';

/**
 * The address or name an indicator is judged on besides its own text; null for a hash or a range. `hxxps://evil.com/`
 * and `evil.com` reach the same document this way (trap 14): both ask for the listings of evil.com, and the URL's
 * exact text adds to them only when a source lists that very page.
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
