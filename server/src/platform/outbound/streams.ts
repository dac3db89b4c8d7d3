import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import {
  checkServerIdentity,
  createSecureContext,
  rootCertificates,
  type SecureContext,
  connect as startTls,
  type TLSSocket,
} from 'node:tls';
import { counter } from '../metrics.ts';
import type { OutboundOptions } from '../outbound.ts';
import { trimDot } from './connector.ts';
import { countedSocket } from './counted-socket.ts';
import { inTime, startDeadline } from './deadline.ts';
import { addressPolicy, openGuarded } from './guard.ts';
import { asOutboundError, OutboundError } from './outbound-error.ts';
import type { OutboundStreams, StreamTarget, TlsHandshake } from './stream-target.ts';
import { checkHost } from './target.ts';
import { openTunnel, parseProxy } from './tunnel.ts';

/** Certificates on 443 and WHOIS on 43 (RFC 3912) only: callers cannot scan ports through us (reliability 3.S). */
const PORTS = { exchange: [43], handshake: [443] } as const;
const TEXT_MAX = 1_024;

const streams = counter({
  name: 'outbound_streams_total',
  help: 'Outbound connections other than HTTP, by kind and outcome.',
  labels: ['kind', 'outcome'],
});

/** Outbound connections other than HTTP. They pass the same guard as requests and have limits on time and bytes. */
export function createOutboundStreams(options: OutboundOptions): OutboundStreams {
  const policy = addressPolicy(options);
  const egress = options.proxy === undefined ? {} : { egress: parseProxy(options.proxy) };
  const closing = new AbortController();
  const contextOf = lazily(() => readingContext(options.authorities));
  const run = async <T>(
    kind: keyof typeof PORTS,
    target: StreamTarget,
    use: (socket: Socket, reached: { readonly host: string; readonly address: string }) => Promise<T>,
  ): Promise<T> => {
    const given = target.signal === undefined ? [] : [target.signal];
    const signal = AbortSignal.any([closing.signal, ...given]);
    const deadline = startDeadline({ deadlineMs: target.deadlineMs, signal });
    let socket: Socket | null = null;
    let reached = '';
    try {
      const host = checkHost(target.host, target.port, PORTS[kind], policy);
      const where = { host, port: target.port, signal: deadline.signal };
      const opening = openGuarded({ policy, ...options, ...egress }, where, async (address, through) => {
        const opened =
          through === null
            ? await openSocket(address, target.port, deadline.signal)
            : await openTunnel(through, { address, port: target.port, signal: deadline.signal });
        reached = address;
        return opened;
      });
      socket = await inTime(opening, deadline.signal);
      const result = await inTime(use(socket, { host, address: reached }), deadline.signal);
      streams.inc({ kind, outcome: 'answered' });
      return result;
    } catch (error) {
      const failure = deadline.reason() ?? asOutboundError(error, 'The answer could not be understood.');
      streams.inc({ kind, outcome: failure.reason });
      options.log.debug({ kind, reason: failure.reason, err: failure }, 'outbound.stream.failed');
      throw failure;
    } finally {
      deadline.end();
      socket?.destroy();
    }
  };
  return {
    exchange: (target) => {
      assert(target.text.length <= TEXT_MAX, `The text to send has at most ${TEXT_MAX} characters.`);
      return run('exchange', target, (socket) => sendAndRead(socket, target));
    },
    handshake: (target) =>
      run('handshake', target, (socket, { host, address }) =>
        shakeHands({ socket, address }, target.serverName ?? host, target.bytesMax, contextOf()),
      ),
    close: async () => closing.abort(new Error('The service is closing.')),
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The signal destroys the socket in every state: connecting, in the handshake, or receiving slowly. */
async function openSocket(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host: address, port, signal });
  try {
    await once(socket, 'connect');
    // Readers of the socket see its end; without a listener an error event would end the process.
    socket.on('error', () => undefined);
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error;
  }
}

async function sendAndRead(
  socket: Socket,
  { text, bytesMax }: { readonly text: string; readonly bytesMax: number },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const counted = countedSocket(socket, bytesMax);
  counted.write(text);
  for await (const chunk of counted) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/**
 * Only for inspection: a host with an outdated protocol or a weak key is reported as it is, so both are accepted here
 * and nowhere else. Nothing is ever sent over such a connection.
 */
const readingContext = (authorities: readonly string[] | undefined): SecureContext =>
  createSecureContext({
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT@SECLEVEL=0',
    ...(authorities === undefined ? {} : { ca: [...rootCertificates, ...authorities] }),
  });

async function shakeHands(
  { socket, address }: { readonly socket: Socket; readonly address: string },
  name: string,
  bytesMax: number,
  secureContext: SecureContext,
): Promise<TlsHandshake> {
  const servername = isIP(name) === 0 ? trimDot(name) : '';
  const tls = startTls({
    socket: countedSocket(socket, bytesMax),
    secureContext,
    servername,
    host: servername === '' ? name : servername,
    // The problems of the certificate are the result, so they do not end the handshake.
    rejectUnauthorized: false,
    checkServerIdentity: identityProblem,
  });
  try {
    await once(tls, 'secureConnect');
    const leaf = tls.getPeerX509Certificate()?.raw;
    if (leaf === undefined) throw new OutboundError('tls', 'The host showed no certificate.');
    return {
      address,
      protocol: tls.getProtocol(),
      isTrusted: tls.authorized,
      problem: problemOf(tls),
      leaf,
    };
  } finally {
    tls.on('error', () => undefined).destroy();
  }
}

/** An unreadable name in the certificate is a problem of the certificate and must not throw in a callback. */
const identityProblem: typeof checkServerIdentity = (host, certificate) => {
  try {
    return checkServerIdentity(host, certificate);
  } catch (error) {
    return error instanceof Error ? error : new Error('The names of the certificate cannot be read.');
  }
};

/** The type says Error, but Node sets a code string. */
function problemOf({ authorized, authorizationError }: TLSSocket): string | null {
  if (authorized) return null;
  const problem: unknown = authorizationError;
  if (typeof problem === 'string') return problem;
  return problem instanceof Error && 'code' in problem ? String(problem.code) : 'UNKNOWN';
}
