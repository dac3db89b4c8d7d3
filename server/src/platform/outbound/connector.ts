import { isIP, type Socket } from 'node:net';
import { createSecureContext, rootCertificates, type TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { type GuardOptions, openGuarded } from './guard.ts';
import { asOutboundError } from './outbound-error.ts';
import { openTunnel } from './tunnel.ts';

export type ConnectorOptions = GuardOptions & { readonly authorities?: readonly string[] };

const CONNECT_MS = 5_000;

/** Every connection of the HTTP driver passes the guard; the certificate is checked against the name. */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_MS,
    maxCachedSessions: 0,
    // One for all connections: reading 150 certificates for each of them held up the event loop for 12 ms.
    secureContext: createSecureContext(
      options.authorities === undefined ? {} : { ca: [...rootCertificates, ...options.authorities] },
    ),
  });
  return (target, callback) => {
    const isTls = target.protocol === 'https:';
    const port = target.port === '' ? (isTls ? 443 : 80) : Number(target.port);
    const host = target.hostname.replace(/^\[|\]$/g, '');
    const { servername: _, ...nameless } = target;
    const named = isTls && isIP(host) === 0 ? { ...nameless, servername: trimDot(host) } : nameless;
    openGuarded(options, { host, port }, async (address, egress) => {
      const pinnedTo = { ...named, hostname: address };
      if (egress === null) return pinned(connect, pinnedTo);
      const tunnel = await openTunnel(egress, { address, port });
      return isTls ? pinned(connect, { ...pinnedTo, httpSocket: tunnel }) : tunnel;
    }).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(asOutboundError(error), null),
    );
  };
}

const pinned = (
  connect: buildConnector.connector,
  target: buildConnector.Options,
): Promise<Socket | TLSSocket> =>
  new Promise((resolve, reject) => {
    connect(target, (error, socket) => (error === null ? resolve(socket) : reject(asOutboundError(error))));
  });

export const trimDot = (name: string): string => name.replace(/\.$/, '');
