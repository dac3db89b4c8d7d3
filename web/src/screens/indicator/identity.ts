import type { CheckTarget, Phases } from './check-state.ts';
import { basicFacts } from './check-state.ts';

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

export function identityParts(target: CheckTarget, phases: Phases): readonly string[] {
  const facts = basicFacts(phases);
  const geo = facts?.geo ?? null;
  const asn = geo?.asn ?? phases.insights?.asnReputation?.asn ?? null;
  const registrar = facts?.whois?.registrar ?? null;
  const words = typeWords(target);
  return [
    target.type === 'ip' && asn !== null ? `${words} in AS${asn}` : words,
    target.type === 'ip' || registrar === null ? null : `registered with ${registrar}`,
    placeOf(geo),
  ].filter((part) => part !== null);
}

type Place = {
  readonly city: string | null;
  readonly country: string | null;
  readonly countryCode: string | null;
};

function placeOf(geo: Place | null): string | null {
  if (geo === null) return null;
  const { city, country, countryCode } = geo;
  const land =
    country === null ? countryCode : countryCode === null ? country : `${country} (${countryCode})`;
  return [city, land].filter((part) => part !== null).join(', ') || null;
}
