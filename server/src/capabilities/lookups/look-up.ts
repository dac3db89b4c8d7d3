import { joinCertificates, missing, type Outcome, type Providers } from '#capabilities/providers/index.ts';
import { type Domain, type Ip, isBogon } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import { type Answered, answerLookup, type LookupName } from './answer-lookup.ts';
import type { CertificatesReply, TenantReply, VulnerabilitiesReply, WhoisReply } from './contract.ts';

export type LookupsDeps = {
  readonly providers: Pick<Providers, 'rdap' | 'tls' | 'ct' | 'internetdb' | 'tenant' | 'intelowl'>;
  readonly clock: Clock;
  readonly reachesIntelOwl: (options: LookupOptions) => Promise<boolean>;
};
/** A lookup that was asked, and how it gives its check back. */
export type Asking = { readonly signal: AbortSignal; giveBack(): void };
export type LookupOptions = { readonly deadlineMs: number; readonly signal: AbortSignal };

/** Budget of one lookup. A lookup that takes longer is cached, and the next call gets it at once. */
export const BUDGET_MS = 5_000;

const optionsOf = (signal: AbortSignal): LookupOptions => ({ deadlineMs: BUDGET_MS, signal });
function answered<V>(
  asking: Asking,
  name: LookupName,
  outcome: Outcome<V>,
): Pick<Answered<V>, 'value' | 'message'> {
  const { isOff, ...answer } = answerLookup(name, outcome);
  if (isOff === true) asking.giveBack();
  return answer;
}
/** A private or reserved address is never looked up externally (decisions 3.1). */
const isPrivate = (host: Ip | Domain): boolean => host.kind === 'ip' && isBogon(host);

export async function lookUpWhois(
  { providers }: LookupsDeps,
  host: Ip | Domain,
  asking: Asking,
): Promise<WhoisReply> {
  if (isPrivate(host)) return { whois: null };
  const { value: whois, ...rest } = answered(
    asking,
    'rdap',
    await providers.rdap.ask(host, optionsOf(asking.signal)),
  );
  return { whois, ...rest };
}

export async function lookUpCertificates(
  { providers, clock }: LookupsDeps,
  host: Ip | Domain,
  asking: Asking,
): Promise<CertificatesReply> {
  if (isPrivate(host)) return { certificates: null };
  const options = optionsOf(asking.signal);
  const [tls, ct] = await Promise.all([
    providers.tls.ask(host, options),
    host.kind === 'ip' ? missing('inapplicable') : providers.ct.ask(host, options),
  ]);
  const joined = joinCertificates(tls, ct, clock.now());
  const { value: certificates, ...rest } = answered(asking, 'tls', joined);
  return { certificates, ...rest };
}

export async function lookUpVulnerabilities(
  { providers }: LookupsDeps,
  ip: Ip,
  asking: Asking,
): Promise<VulnerabilitiesReply> {
  if (isPrivate(ip)) return { vulnerabilities: null };
  const outcome = await providers.internetdb.ask(ip, optionsOf(asking.signal));
  const { value: vulnerabilities, ...rest } = answered(asking, 'internetdb', outcome);
  return { vulnerabilities, ...rest };
}

/** A reply about a tenant always has a message (G30). */
export async function lookUpTenant(
  { providers }: LookupsDeps,
  domain: Domain,
  asking: Asking,
): Promise<TenantReply> {
  const outcome: Outcome<NonNullable<TenantReply['tenant']>> = await providers.tenant.ask(
    domain,
    optionsOf(asking.signal),
  );
  const { value: tenant, message } = answered(asking, 'tenant', outcome);
  return { tenant, message: message ?? said(domain, tenant) };
}

const said = (domain: Domain, tenant: TenantReply['tenant']): string =>
  tenant === null
    ? `Microsoft knows no tenant of '${domain.value}'.`
    : `'${tenant.domain}' belongs to a Microsoft tenant.`;
