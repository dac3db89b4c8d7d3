import type { Listable } from '#domain/indicator/index.ts';
import { CANARY_VALUES } from './canary-values.ts';

const CANARIES: ReadonlySet<string> = new Set(CANARY_VALUES);
const WHOLE_ADDRESS = { 4: 32, 6: 128 } as const;

/**
 * Whether no list may call this value a threat. The match is exact: names below or above a canary do not count, and
 * neither does a URL or a mail address on one (malware does lie on github.com). A range of one address counts as that
 * address.
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
