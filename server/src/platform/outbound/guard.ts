import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { OutboundError } from './outbound-error.ts';
import { canonicalAddress } from './special-purpose.ts';
import { type AddressPolicy, assertReachable, parseAllowed } from './target.ts';

export type GuardOptions = {
  readonly policy: AddressPolicy;
  /** Other name servers than the system's: for tests, and for a resolver of one's own. */
  readonly dnsServers?: readonly string[];
};

/** What the guard must be able to do with a connection of any kind. */
type Connection = { readonly remoteAddress?: string | undefined; readonly destroy: () => unknown };

const DNS_TRY_MS = 2_000;
const DNS_TRIES = 2;
/** A name with more addresses than this is no web server; all of them would have to be judged. */
const ADDRESSES_MAX = 64;
const ATTEMPTS_MAX = 4;

/**
 * The one path from a host to a connection, for HTTP and raw streams alike. It sits where the connection is made, so
 * that redirects, referrals, keep-alive and a name that changes its answer (rebinding) all pass through it: we resolve,
 * judge EVERY address, let `connect` go to one of exactly those, and look at the other end's address once more when the
 * connection stands.
 */
export async function openGuarded<C extends Connection>(
  options: GuardOptions,
  { host, port, signal }: { readonly host: string; readonly port: number; readonly signal?: AbortSignal },
  connect: (address: string) => Promise<C>,
): Promise<C> {
  const addresses = isIP(host) === 0 ? await resolve(options, host) : [host];
  for (const address of addresses) assertReachable(options.policy, address, port);
  let failure: unknown = new OutboundError('dns', 'The name has no address.');
  for (const address of addresses.slice(0, ATTEMPTS_MAX)) {
    signal?.throwIfAborted();
    try {
      return assertReached(options.policy, await connect(address), address, port);
    } catch (error) {
      failure = error;
      if (error instanceof OutboundError && error.reason === 'address') break;
    }
  }
  throw failure;
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

/** Both families; a name is refused as a whole when any of its addresses is. */
async function resolve({ dnsServers }: GuardOptions, name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: DNS_TRY_MS, tries: DNS_TRIES });
  if (dnsServers !== undefined) resolver.setServers([...dnsServers]);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0)
    throw new OutboundError(
      'dns',
      `The name '${name}' could not be resolved.`,
      v4.status === 'rejected' ? v4.reason : undefined,
    );
  if (addresses.length > ADDRESSES_MAX)
    throw new OutboundError('dns', `The name '${name}' has too many addresses.`);
  return addresses;
}

/** Of every way out: what may be reached although it is not public, and what is this machine's own. */
export const addressPolicy = (
  allow: readonly string[] | undefined,
  monotonic: () => number,
): AddressPolicy => ({ allowed: (allow ?? []).map(parseAllowed), own: ownAddresses(monotonic) });

const OWN_FOR_MS = 10_000;

/** Read again now and then: interfaces come and go. */
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
