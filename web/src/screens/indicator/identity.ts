import type { CheckTarget, Phases } from './check-state.ts';
import { basicFacts } from './check-state.ts';
import { asnPath, networkPath } from './paths.ts';

const DIGESTS: Readonly<Record<number, string>> = { 32: 'MD5', 40: 'SHA-1', 64: 'SHA-256' };

export function typeWords({ type, value }: CheckTarget): string {
  switch (type) {
    case 'ip':
      return value.includes(':') ? 'IPv6 address' : 'IPv4 address';
    case 'domain':
      return 'Domain';
    case 'url':
      return 'URL';
    case 'hash':
      return `${DIGESTS[value.length] ?? ''} of a file`.trim();
  }
}

/** A part of the line below the indicator's value; with `to` it links to a page, such as that of the network. */
export type IdentityPart = { readonly text: string; readonly to?: string };

export function identityParts(target: CheckTarget, phases: Phases): readonly IdentityPart[] {
  const registrar = basicFacts(phases)?.whois?.registrar ?? null;
  return [
    { text: typeWords(target) },
    ...(target.type === 'ip' || registrar === null ? [] : [{ text: `registered with ${registrar}` }]),
    ...networkParts(target, phases),
  ];
}

/**
 * Network and country, from the first phase if it has them, so that nothing moves when the second comes. A domain gets
 * only the country of its address, because the network of that address is not the domain's own.
 */
function networkParts({ type }: CheckTarget, phases: Phases): readonly IdentityPart[] {
  const known = phases.reputation?.network;
  const geo = known === undefined ? (basicFacts(phases)?.geo ?? null) : null;
  const asn = known?.asn ?? (type === 'ip' ? (geo?.asn ?? phases.insights?.asnReputation?.asn) : undefined);
  const name = known?.name ?? geo?.org ?? '';
  const place = placeOf(known ?? geo);
  return [
    ...(asn === undefined ? [] : [{ text: `AS${asn} ${name}`.trim(), to: asnPath(asn) }]),
    ...(known?.prefix == null ? [] : [{ text: known.prefix, to: networkPath(known.prefix) }]),
    ...(place === null ? [] : [{ text: place }]),
  ];
}

type Place = { readonly country: string | null; readonly countryCode: string | null };

export function placeOf(place: Place | null): string | null {
  if (place === null) return null;
  const { country, countryCode } = place;
  if (country === null) return countryCode;
  return countryCode === null ? country : `${country} (${countryCode})`;
}
