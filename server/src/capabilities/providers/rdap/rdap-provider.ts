import { type Domain, type Ip, isBogon } from '#domain/indicator/index.ts';
import type { Outbound } from '#platform/outbound.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { Whois } from '../contract-hosts.ts';
import { fetchJson, reachOf, refusedStatus, serviceUrl } from '../fetch-json.ts';
import type { Observation } from '../observation.ts';
import { type Answer, type Ask, type Provider, ProviderFailure } from '../provider.ts';
import { notPublic } from '../service-failure.ts';
import { createAskWhois, type WhoisDeps } from './ask-whois.ts';
import { createBootstrap } from './bootstrap.ts';
import { readRdapDomain, readRdapNetwork } from './read-rdap.ts';

/** Longer than a caller waits, so that the late answer of a slow registry is cached for the next caller. */
const DEADLINE_MS = 8_000;
const AT_ONCE_MAX = 32;
/** The largest real answers, networks with all their contacts, are about 60 kB. */
const BYTES_MAX = 512 * 1024;
const REDIRECTS_MAX = 3;
/** Statuses of a registry that does not answer such a query for any client. */
const NOT_ANSWERABLE = new Set([400, 414, 422, 501]);

export type RdapDeps = WhoisDeps & {
  readonly outbound: Outbound;
  readonly bootstrapUrl: string;
};

/** The registration of a name or an address: RDAP (RFC 9082, 9083), and WHOIS where a registry has no RDAP. */
export function createRdapProvider(deps: RdapDeps): Provider<Ip | Domain, Whois> {
  const bootstrap = createBootstrap(deps);
  const askWhois = createAskWhois(deps);
  const request = {
    schemes: reachOf(deps.bootstrapUrl).schemes,
    headers: { accept: 'application/rdap+json, application/json;q=0.9' },
    bytesMax: BYTES_MAX,
    redirects: REDIRECTS_MAX,
  };
  const askRdap = async (base: URL, path: string, ask: Ask, read: (json: unknown) => Whois) => {
    const { status, json } = await fetchJson(deps.outbound, serviceUrl(base.href, path), request, ask);
    if (status === 404) return { value: null };
    if (status === 200) return { value: read(json) };
    if (NOT_ANSWERABLE.has(status))
      throw new ProviderFailure('target', `The registry does not answer this: status ${status}.`);
    throw refusedStatus(status);
  };
  const ask = async (key: Ip | Domain, options: Ask): Promise<Answer<Whois>> => {
    const started = deps.clock.monotonic();
    const left = (): Ask => ({
      ...options,
      deadlineMs: Math.max(1, Math.ceil(options.deadlineMs - (deps.clock.monotonic() - started))),
    });
    if (key.kind === 'ip') {
      if (isBogon(key)) throw notPublic();
      const base = await bootstrap.ofAddress(key, options.signal);
      if (base === undefined) return { value: null };
      if (base === null) throw unusable(key.value);
      return askRdap(base, `ip/${key.value}`, left(), (json) => readRdapNetwork(json, key));
    }
    const name = key.registrable;
    // A public suffix belongs to its registry and has no registration.
    if (name === null) return { value: null };
    const base = await bootstrap.ofDomain(name, options.signal);
    if (base === undefined || base === null) return askWhois(name, left());
    return askRdap(base, `domain/${name}`, left(), (json) => readRdapDomain(json, name));
  };
  return {
    name: 'rdap',
    keyOf: subjectOf,
    upstreamOf: (key) => bootstrap.upstreamOf(key.kind === 'ip' ? key : subjectOf(key)),
    schema: Whois,
    deadlineMs: DEADLINE_MS,
    atOnceMax: AT_ONCE_MAX,
    freshMs: DAY_MS,
    absentMs: HOUR_MS,
    keepMs: 30 * DAY_MS,
    ask,
    observe,
  };
}

/** All hosts below one registered name share a query. */
const subjectOf = (key: Ip | Domain): string =>
  key.kind === 'ip' ? key.value : (key.registrable ?? key.value);

function observe(key: Ip | Domain, whois: Whois): readonly Observation[] {
  if (key.kind === 'ip' || key.registrable === null) return [];
  const subject = key.registrable;
  const registrar = whois.registrar?.toLowerCase();
  return [
    ...(registrar === undefined
      ? []
      : [{ relation: 'registrar' as const, pivot: registrar, subject, recordType: '' }]),
    ...whois.nameServers.map((pivot) => ({
      relation: 'nameserver' as const,
      pivot,
      subject,
      recordType: 'NS',
    })),
  ];
}

const unusable = (asked: string): ProviderFailure =>
  new ProviderFailure('target', `The registry of ${asked} has no RDAP service that may be queried.`);
