import type { Domain } from '#domain/indicator/index.ts';
import type { Dns } from '#platform/dns.ts';
import { DnsFacts } from '../contract-names.ts';
import type { Observation } from '../observation.ts';
import type { Provider } from '../provider.ts';
import { askDnsFacts } from './ask-dns-facts.ts';
import { asProviderFailure, RESOLVER, within } from './dns-failure.ts';
import { observeAddresses } from './name-facts.ts';

const MINUTE_MS = 60_000;

/** What a domain publishes in the DNS, and what that says of its mail. */
export const createDnsProvider = ({ dns }: { readonly dns: Dns }): Provider<Domain, DnsFacts> => ({
  name: 'dns',
  keyOf: ({ value }) => value,
  upstreamOf: () => RESOLVER,
  schema: DnsFacts,
  deadlineMs: 5_000,
  // Up to 17 sockets each, so 272 in all.
  atOnceMax: 16,
  freshMs: 30 * MINUTE_MS,
  absentMs: 5 * MINUTE_MS,
  // Policies last for years: an old answer is better than none while the resolver is away.
  keepMs: 7 * 24 * 60 * MINUTE_MS,
  ask: async (domain, ask) => {
    // When one question fails the others have no use any more.
    const rest = new AbortController();
    const signal = AbortSignal.any([ask.signal, rest.signal]);
    try {
      return { value: await askDnsFacts({ dns, ask: { ...within(ask), signal } }, domain) };
    } catch (error) {
      throw asProviderFailure(error);
    } finally {
      rest.abort();
    }
  },
  observe: (domain, facts) => [
    ...observeAddresses(domain.value, facts),
    ...facts.ns.map(
      (pivot): Observation => ({
        relation: 'nameserver',
        pivot,
        // The zone is what a server serves.
        subject: domain.registrable ?? domain.value,
        recordType: 'NS',
      }),
    ),
  ],
});
