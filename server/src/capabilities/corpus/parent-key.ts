import { type Domain, type Listable, platformSuffix } from '#domain/indicator/index.ts';
import type { KeyWriter } from './indicator-key.ts';

/**
 * Key of what the indicator lies on or below (scoring 4): a URL on its host, a name below its registrable domain. Null
 * where there is nothing above, or where strangers get names: what one of them does says nothing of the platform.
 * Valid until the writer's next call of the same kind and length.
 */
export function parentKeyOf(keys: KeyWriter, indicator: Listable): Uint8Array | null {
  if (indicator.kind === 'url') return keys.of(indicator.host);
  return indicator.kind === 'domain' ? registrableKeyOf(keys, indicator) : null;
}

/** The suffix list is asked for names below a registrable domain only: half of what lists hold is none. */
function registrableKeyOf(keys: KeyWriter, { value, registrable }: Domain): Uint8Array | null {
  if (registrable === null || registrable.length === value.length) return null;
  if (platformSuffix(value) !== null) return null;
  return keys.domainAt(value, value.length - registrable.length);
}
