import type { EnrichmentLevel } from '#capabilities/check/index.ts';
import {
  type DnsFacts,
  missing,
  type Outcome,
  type Providers,
  type Whois,
} from '#capabilities/providers/index.ts';
import { type Domain, parseIndicator } from '#domain/indicator/index.ts';

export type MailProviders = Pick<Providers, 'dns' | 'rdap'>;

/** Limit of a single lookup; the check as a whole waits less. */
const LOOKUP_MS = 5_000;

/** `fast` starts no lookup, `basic` reads only the cache (contract 2.1 rule 1). */
export function askDns(
  { dns }: MailProviders,
  domain: Domain,
  level: EnrichmentLevel,
  signal: AbortSignal | undefined,
): Promise<Outcome<DnsFacts>> {
  return ask(dns, domain, level, signal);
}

/** Looks up the registered domain, because subdomains have no registration. */
export async function askWhois(
  { rdap }: MailProviders,
  { registrable }: Domain,
  level: EnrichmentLevel,
  signal: AbortSignal | undefined,
): Promise<Outcome<Whois>> {
  const parsed = registrable === null ? null : parseIndicator(registrable);
  if (!parsed?.ok || parsed.indicator.kind !== 'domain') return missing('inapplicable');
  return await ask(rdap, parsed.indicator, level, signal);
}

type Asked<V> = {
  readonly cached: (domain: Domain) => Promise<Outcome<V>>;
  readonly ask: (
    domain: Domain,
    options: { readonly deadlineMs: number; readonly signal?: AbortSignal },
  ) => Promise<Outcome<V>>;
};

function ask<V>(
  lookup: Asked<V>,
  domain: Domain,
  level: EnrichmentLevel,
  signal: AbortSignal | undefined,
): Promise<Outcome<V>> {
  if (level === 'fast') return Promise.resolve(missing('uncached'));
  if (level === 'basic') return lookup.cached(domain);
  return lookup.ask(domain, { deadlineMs: LOOKUP_MS, ...(signal && { signal }) });
}
