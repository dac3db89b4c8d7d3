import type { Domain } from '#domain/indicator/index.ts';
import type { Dns, DnsAnswer } from '#platform/dns.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { Addresses } from '../contract-names.ts';
import type { Answer, Ask, Provider } from '../provider.ts';
import { asProviderFailure, RESOLVER, within } from './dns-failure.ts';
import { LIST_MAX, observeAddresses, sortedAddresses } from './name-facts.ts';

const MINUTE_MS = 60_000;

export const createAddressesProvider = ({ dns }: { readonly dns: Dns }): Provider<Domain, Addresses> => ({
  name: 'addresses',
  keyOf: ({ value }) => value,
  upstreamOf: () => RESOLVER,
  schema: Addresses,
  deadlineMs: 3_000,
  // Each lookup takes two sockets (A and AAAA), so 128 in all.
  atOnceMax: 64,
  freshMs: 5 * MINUTE_MS,
  absentMs: 2 * MINUTE_MS,
  keepMs: 0,
  ask: (domain, ask) => askAddresses(dns, domain, within(ask)),
  observe: ({ value }, addresses) => observeAddresses(value, addresses),
});

async function askAddresses(dns: Dns, { value: name }: Domain, ask: Ask): Promise<Answer<Addresses>> {
  const [a, aaaa] = await Promise.allSettled([dns.resolve(name, 'A', ask), dns.resolve(name, 'AAAA', ask)]);
  const answers = [a, aaaa].flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failure = [a, aaaa].find((each) => each.status === 'rejected');
  const value = { a: listOf(a), aaaa: listOf(aaaa) };
  const isFound = value.a.length > 0 || value.aaaa.length > 0;
  // One family may fail when the other has addresses, but "absent" needs both answers.
  if (!isFound && failure !== undefined) throw asProviderFailure(failure.reason);
  return { value: isFound ? value : null, freshMs: failure === undefined ? freshMsOf(answers) : MINUTE_MS };
}

const listOf = (settled: PromiseSettledResult<DnsAnswer<string>>): string[] =>
  settled.status === 'fulfilled' && settled.value.state === 'found'
    ? sortedAddresses(settled.value.records).slice(0, LIST_MAX)
    : [];

/**
 * The TTL of the zone within limits: with a TTL of 0 every caller would start a lookup, and one of a week is too long.
 */
function freshMsOf(answers: readonly DnsAnswer<string>[]): number {
  const found = answers.filter(({ state }) => state === 'found');
  const told = (found.length > 0 ? found : answers).flatMap(({ ttlS }) =>
    ttlS === null ? [] : [ttlS * 1_000],
  );
  return Math.min(HOUR_MS, Math.max(MINUTE_MS, Math.min(HOUR_MS, ...told)));
}
