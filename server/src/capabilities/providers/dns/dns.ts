import type { Domain } from '#domain/indicator/index.ts';
import type { Dns } from '#platform/dns.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { DnsFacts } from '../contract-names.ts';
import type { Observation } from '../observation.ts';
import type { Provider } from '../provider.ts';
import { askDnsFacts } from './ask-dns-facts.ts';
import { asProviderFailure, RESOLVER, within } from './dns-failure.ts';
import { observeAddresses } from './name-facts.ts';

const MINUTE_MS = 60_000;

export const createDnsProvider = ({ dns }: { readonly dns: Dns }): Provider<Domain, DnsFacts> => ({
  name: 'dns',
  keyOf: ({ value }) => value,
  upstreamOf: () => RESOLVER,
  schema: DnsFacts,
  deadlineMs: 5_000,
  // Each lookup takes up to 17 sockets, so 272 in all.
  atOnceMax: 16,
  freshMs: 30 * MINUTE_MS,
  absentMs: 5 * MINUTE_MS,
  // Policies last for years, so an old answer is better than none while the resolver is down.
  keepMs: 7 * DAY_MS,
  ask: async (domain, ask) => {
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
        // A name server serves the whole zone, so the registered name is recorded.
        subject: domain.registrable ?? domain.value,
        recordType: 'NS',
      }),
    ),
  ],
});
