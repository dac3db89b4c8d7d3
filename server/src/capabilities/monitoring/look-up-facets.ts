import type { NetworkBook } from '#capabilities/enrichment/index.ts';
import { foundValue, type Providers, type Whois } from '#capabilities/providers/index.ts';
import { type Domain, hostOf, type Indicator, type Ip, parseIndicator } from '#domain/indicator/index.ts';
import type { Facet } from '#domain/monitoring/index.ts';
import { inertText } from '#domain/text/inert-text.ts';
import { sha256Of } from '#platform/sha256.ts';
import type { FacetState, FacetStates } from './target-store.ts';

/** The providers for certificate, registration and location of a value, and the tables of networks and countries. */
export type FacetLookups = {
  readonly providers: Pick<Providers, 'addresses' | 'rdap' | 'tls' | 'ct'>;
  readonly book: () => NetworkBook;
};

export type FacetPlan = Readonly<Record<Facet, 'watched' | 'off' | 'inapplicable'>>;
const NO_DATA = '000000';

/** Which facets of a value this service can watch. Mailboxes have no certificate. */
export function facetPlanOf({ providers, book }: FacetLookups, indicator: Indicator): FacetPlan {
  const host = hostOf(indicator);
  const isName = host?.kind === 'domain';
  const on = (isOn: boolean) => (isOn ? 'watched' : 'off');
  const hasNetworks = book().version !== NO_DATA;
  return {
    certificate:
      indicator.kind === 'email' ? 'inapplicable' : on(providers.tls.isOn || (isName && providers.ct.isOn)),
    registration: on(providers.rdap.isOn),
    location: on(hasNetworks && (!isName || providers.addresses.isOn)),
  };
}

const DIGEST_HEX = 16;
const TEXT_MAX = 200;
const stateOf = (facts: unknown, text: string): FacetState => ({
  digest: sha256Of(JSON.stringify(facts)).slice(0, DIGEST_HEX),
  text: inertText(text, TEXT_MAX) ?? 'unnamed',
});

/** A facet whose lookup fails is left out, so that an outage does not count as a change. */
export async function lookUpFacets(
  lookups: FacetLookups,
  indicator: Indicator,
  signal: AbortSignal,
): Promise<FacetStates> {
  const plan = facetPlanOf(lookups, indicator);
  const host = hostOf(indicator);
  if (host === null) return {};
  const [certificate, registration, location] = await Promise.all([
    plan.certificate === 'watched' ? certificateOf(lookups, host, signal) : null,
    plan.registration === 'watched' ? registrationOf(lookups, host, signal) : null,
    plan.location === 'watched' ? locationOf(lookups, host, signal) : null,
  ]);
  return {
    ...(certificate !== null && { certificate }),
    ...(registration !== null && { registration }),
    ...(location !== null && { location }),
  };
}

async function certificateOf(
  { providers: { tls, ct } }: FacetLookups,
  host: Ip | Domain,
  signal: AbortSignal,
): Promise<FacetState | null> {
  const seen = tls.isOn ? foundValue(await tls.ask(host, { signal })) : null;
  if (seen !== null) {
    const { issuer, subject, fingerprint, validTo } = seen.certificate;
    return stateOf(['tls', fingerprint], `that of ${subject} by ${issuer}, valid until ${validTo}`);
  }
  if (tls.isOn || host.kind !== 'domain') return null;
  const [newest] = foundValue(await ct.ask(host, { signal }))?.history ?? [];
  return newest === undefined
    ? null
    : stateOf(
        ['ct', newest.issuer, newest.serialNumber],
        `that of ${newest.subject} by ${newest.issuer}, valid until ${newest.validTo}`,
      );
}

async function registrationOf(
  { providers: { rdap } }: FacetLookups,
  host: Ip | Domain,
  signal: AbortSignal,
): Promise<FacetState | null> {
  const asked =
    host.kind === 'domain' && host.registrable !== null && host.registrable !== host.value
      ? { ...host, value: host.registrable }
      : host;
  const whois = foundValue(await rdap.ask(asked, { signal }));
  return whois === null ? null : stateOf(registeredFacts(whois), registrationText(whois));
}

/** Leaves out the dates of renewal and expiry, which change without the holder changing. */
const registeredFacts = ({ registrar, registrant, createdDate, nameServers, network, handle }: Whois) => [
  registrar,
  registrant,
  createdDate,
  nameServers.map((name) => name.toLowerCase()).sort(),
  network?.name ?? null,
  network?.range ?? null,
  network === undefined ? null : handle,
];

const registrationText = ({ registrar, registrant, nameServers, network }: Whois): string =>
  network === undefined
    ? `with ${registrar ?? 'an unnamed registrar'}${registrant === null ? '' : ` for ${registrant}`}, name servers ${nameServers.slice(0, 3).join(', ') || 'none'}`
    : `${network.name ?? 'an unnamed network'} (${network.range ?? 'range not known'})`;

async function locationOf(
  { providers: { addresses }, book }: FacetLookups,
  host: Ip | Domain,
  signal: AbortSignal,
): Promise<FacetState | null> {
  if (host.kind === 'ip') return placeOf(book(), [host]);
  const found = foundValue(await addresses.ask(host, { signal }));
  if (found === null) return null;
  const ips = [...found.a, ...found.aaaa].flatMap((text) => {
    const parsed = parseIndicator(text);
    return parsed.ok && parsed.indicator.kind === 'ip' ? [parsed.indicator] : [];
  });
  return ips.length === 0 ? null : placeOf(book(), ips);
}

/** Countries and network numbers of the addresses: a new address in the same network counts as no change. */
function placeOf(book: NetworkBook, ips: readonly Ip[]): FacetState | null {
  const places = new Set(
    ips.flatMap((ip) => {
      const [country, network] = [book.countryOf(ip), book.networkOf(ip)];
      return country === null && network === null ? [] : [`${country ?? '??'} AS${network?.asn ?? '?'}`];
    }),
  );
  const sorted = [...places].sort();
  return sorted.length === 0 ? null : stateOf(sorted, sorted.join(', '));
}
