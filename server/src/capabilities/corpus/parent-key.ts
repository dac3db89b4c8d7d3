import { type Domain, type Listable, platformSuffix } from '#domain/indicator/index.ts';
import type { KeyWriter } from './indicator-key.ts';

/**
 * Key of the indicator's parent (scoring 4): a URL lies on its host, a name below its registrable domain. Null where
 * there is no parent, or where the parent is a platform, because a tenant says nothing about its platform. Valid until
 * the writer's next call of the same kind and length.
 */
export function parentKeyOf(keys: KeyWriter, indicator: Listable): Uint8Array | null {
  if (indicator.kind === 'url') return keys.of(indicator.host);
  return indicator.kind === 'domain' ? registrableKeyOf(keys, indicator) : null;
}

/** Consults the suffix list only for names below a registrable domain, because half of the listed names are not. */
function registrableKeyOf(keys: KeyWriter, { value, registrable }: Domain): Uint8Array | null {
  if (registrable === null || registrable.length === value.length) return null;
  if (platformSuffix(value) !== null) return null;
  return keys.domainAt(value, value.length - registrable.length);
}
