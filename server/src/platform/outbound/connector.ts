import { Resolver } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { rootCertificates, type TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { asOutboundError, OutboundError } from './outbound-error.ts';
import { canonicalAddress } from './special-purpose.ts';
import { type AddressPolicy, assertReachable } from './target.ts';

export type ConnectorOptions = {
  readonly policy: AddressPolicy;
  /** Other name servers than the system's: for tests, and for a resolver of one's own. */
  readonly dnsServers?: readonly string[];
  readonly authorities?: readonly string[];
};

const DNS_TRY_MS = 2_000;
const DNS_TRIES = 2;
/** A name with more addresses than this is no web server; all of them would have to be judged. */
const ADDRESSES_MAX = 64;
const ATTEMPTS_MAX = 4;
const CONNECT_MS = 5_000;

/**
 * The guard sits where the connection is made, so that redirects, keep-alive and a name that changes its answer
 * (rebinding) all pass through it: we resolve, judge EVERY address, connect to one of exactly those, and look at the
 * other end's address once more when the connection stands.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_MS,
    maxCachedSessions: 0,
    ...(options.authorities === undefined ? {} : { ca: [...rootCertificates, ...options.authorities] }),
  });
  return (target, callback) => {
    open(options, connect, target).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(asOutboundError(error), null),
    );
  };
}

async function open(
  options: ConnectorOptions,
  connect: buildConnector.connector,
  target: buildConnector.Options,
): Promise<Socket | TLSSocket> {
  const isTls = target.protocol === 'https:';
  const port = target.port === '' ? (isTls ? 443 : 80) : Number(target.port);
  const name = target.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(name) === 0 ? await resolve(options, name) : [name];
  for (const address of addresses) assertReachable(options.policy, address, port);
  let failure: unknown = new OutboundError('dns', 'The name has no address.');
  for (const address of addresses.slice(0, ATTEMPTS_MAX)) {
    try {
      return await openPinned(options, connect, { ...target, hostname: address }, isTls ? name : '', port);
    } catch (error) {
      failure = error;
      if (error instanceof OutboundError && error.reason === 'address') break;
    }
  }
  throw failure;
}

/** The certificate is checked against the name, the connection goes to the address. */
function openPinned(
  options: ConnectorOptions,
  connect: buildConnector.connector,
  target: buildConnector.Options,
  serverName: string,
  port: number,
): Promise<Socket | TLSSocket> {
  const { servername: _, ...pinned } = target;
  const withName =
    serverName === '' || isIP(serverName) !== 0 ? pinned : { ...pinned, servername: trimDot(serverName) };
  return new Promise((resolve, reject) => {
    connect(withName, (error, socket) => {
      if (error !== null) return reject(asOutboundError(error));
      try {
        const reached = canonicalAddress(socket.remoteAddress ?? '');
        if (reached !== canonicalAddress(target.hostname))
          throw new OutboundError('address', 'The connection reached another address than the one checked.');
        assertReachable(options.policy, reached, port);
        resolve(socket);
      } catch (refused) {
        socket.destroy();
        reject(refused);
      }
    });
  });
}

const trimDot = (name: string): string => name.replace(/\.$/, '');

/** Both families; a name is refused as a whole when any of its addresses is. */
async function resolve({ dnsServers }: ConnectorOptions, name: string): Promise<string[]> {
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

const OWN_FOR_MS = 10_000;

/** Read again now and then: interfaces come and go. */
export function ownAddresses(monotonic: () => number): () => ReadonlySet<string> {
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
