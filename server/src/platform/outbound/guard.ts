import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isMissingName, OutboundError } from './outbound-error.ts';
import { canonicalAddress } from './special-purpose.ts';
import { type AddressPolicy, assertReachable, isAllowed, parseAllowed, parseRange } from './target.ts';
import type { EgressProxy } from './tunnel.ts';

export type GuardOptions = {
  readonly policy: AddressPolicy;
  /** Name servers other than the system's: for tests, or for a private resolver. */
  readonly dnsServers?: readonly string[];
  /** Connects to every address but those that the operator allowed. */
  readonly egress?: EgressProxy;
};

type Connection = { readonly remoteAddress?: string | undefined; readonly destroy: () => unknown };

const DNS_TRY_MS = 2_000;
const DNS_TRIES = 2;
/** More addresses than any web server has; each of them would have to be checked. */
const ADDRESSES_MAX = 64;
const ATTEMPTS_MAX = 4;

/**
 * The only path from a host name to a connection, for HTTP and raw streams. It runs where the connection is made, so
 * that redirects, referrals, keep-alive and a name that changes its answer (rebinding) all pass through it: it
 * resolves the name, checks EVERY address, lets `connect` use only those, and checks the remote address again once
 * connected. Through a proxy it has no remote address to check, so the proxy is asked for the address that was checked.
 */
export async function openGuarded<C extends Connection>(
  options: GuardOptions,
  { host, port, signal }: { readonly host: string; readonly port: number; readonly signal?: AbortSignal },
  connect: (address: string, egress: EgressProxy | null) => Promise<C>,
): Promise<C> {
  const addresses = await resolvePublic(options, { host, port });
  let failure: unknown = new OutboundError('dns', 'The name has no address.');
  for (const address of addresses.slice(0, ATTEMPTS_MAX)) {
    signal?.throwIfAborted();
    const egress = isAllowed(options.policy, address, port) ? null : (options.egress ?? null);
    try {
      const connection = await connect(address, egress);
      return egress === null ? assertReached(options.policy, connection, address, port) : connection;
    } catch (error) {
      failure = error;
      if (error instanceof OutboundError && error.reason === 'address') break;
    }
  }
  throw failure;
}

/** The addresses of a host; one that is not public refuses them all. */
export async function resolvePublic(
  options: GuardOptions,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await resolve(options, host) : [host];
  for (const address of addresses) assertReachable(options.policy, address, port);
  return addresses;
}

function assertReached<C extends Connection>(
  policy: AddressPolicy,
  connection: C,
  address: string,
  port: number,
): C {
  try {
    const reached = canonicalAddress(connection.remoteAddress ?? '');
    if (reached !== canonicalAddress(address))
      throw new OutboundError('address', 'The connection reached another address than the one checked.');
    assertReachable(policy, reached, port);
    return connection;
  } catch (refused) {
    connection.destroy();
    throw refused;
  }
}

/** Resolves both address families; one refused address refuses the whole name. */
async function resolve({ dnsServers }: GuardOptions, name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: DNS_TRY_MS, tries: DNS_TRIES });
  if (dnsServers !== undefined) resolver.setServers([...dnsServers]);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) {
    const failures = [v4, v6].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    // The failure that a later try may mend, if there is one, because callers decide by it whether to try again.
    const cause = failures.find((failure) => !isMissingName(failure)) ?? failures[0];
    throw new OutboundError('dns', `The name '${name}' could not be resolved.`, cause);
  }
  if (addresses.length > ADDRESSES_MAX)
    throw new OutboundError('dns', `The name '${name}' has too many addresses.`);
  return addresses;
}

export const addressPolicy = ({
  allow = [],
  deny = [],
  clock,
}: {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly clock: { readonly monotonic: () => number };
}): AddressPolicy => ({
  allowed: allow.map(parseAllowed),
  denied: deny.map(parseRange),
  own: ownAddresses(clock.monotonic),
});

const OWN_FOR_MS = 10_000;

/** Read again periodically, because interfaces change. */
function ownAddresses(monotonic: () => number): () => ReadonlySet<string> {
  let known: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (monotonic() - readAt < OWN_FOR_MS) return known;
    readAt = monotonic();
    const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    known = new Set(all.map((each) => canonicalAddress(each.address)));
    return known;
  };
}
