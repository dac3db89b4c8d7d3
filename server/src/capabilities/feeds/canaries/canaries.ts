import type { Listable } from '#domain/indicator/index.ts';
import { CANARY_VALUES } from './canary-values.ts';

const CANARIES: ReadonlySet<string> = new Set(CANARY_VALUES);
const WHOLE_ADDRESS = { 4: 32, 6: 128 } as const;

/**
 * Is this one of the values nobody may list as a threat? Exact: a name below or above one is none, and neither is a URL
 * or a mail address on one (malware does lie on github.com). A range of one address is that address.
 */
export function isCanary(indicator: Listable): boolean {
  switch (indicator.kind) {
    case 'ip':
    case 'domain':
    case 'hash':
      return CANARIES.has(indicator.value);
    case 'cidr':
      return (
        indicator.bits === WHOLE_ADDRESS[indicator.version] &&
        CANARIES.has(indicator.value.slice(0, indicator.value.indexOf('/')))
      );
    default:
      return false;
  }
}
