import { connect, isIPv6, type Socket } from 'node:net';
import { OutboundError } from './outbound-error.ts';

/** The proxy of OUTBOUND_PROXY, through which requests leave. */
export type EgressProxy = {
  readonly host: string;
  readonly port: number;
  /** The value of Proxy-Authorization; null for a proxy that asks for none. */
  readonly authorization: string | null;
};

const CONNECT_MS = 5_000;
const ANSWER_BYTES_MAX = 8_192;
const DEFAULT_PORT = 80;

export function parseProxy(text: string): EgressProxy {
  const { hostname, port, username, password } = new URL(text);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? DEFAULT_PORT : Number(port),
    authorization: username === '' ? null : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

/**
 * A connection through the proxy to an address that was checked (CONNECT, RFC 9110 9.3.6). The proxy is asked for the address and not
 * for the name, so that no other resolver decides where the connection leads.
 */
export function openTunnel(
  { host, port: proxyPort, authorization }: EgressProxy,
  {
    address,
    port,
    signal,
  }: { readonly address: string; readonly port: number; readonly signal?: AbortSignal },
): Promise<Socket> {
  const target = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const socket = connect({ host, port: proxyPort, ...(signal !== undefined && { signal }) });
  const head = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`];
  if (authorization !== null) head.push(`Proxy-Authorization: ${authorization}`);
  socket.once('connect', () => socket.write(`${head.join('\r\n')}\r\n\r\n`));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail('The egress proxy did not answer in time.'), CONNECT_MS);
    let read = Buffer.alloc(0);
    const end = () => {
      clearTimeout(timer);
      socket.off('data', onData).off('error', onError).off('close', onClose);
    };
    const fail = (message: string, cause?: unknown) => {
      end();
      socket.on('error', () => undefined).destroy();
      reject(new OutboundError('proxy', message, cause));
    };
    const onError = (error: Error) => fail('The egress proxy cannot be reached.', error);
    const onClose = () => fail('The egress proxy closed the connection.');
    const onData = (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      const headEnd = read.indexOf('\r\n\r\n');
      if (headEnd < 0) {
        if (read.length > ANSWER_BYTES_MAX) fail('The egress proxy did not answer with HTTP.');
        return;
      }
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(read.toString('latin1', 0, headEnd))?.[1];
      if (status === undefined) return fail('The egress proxy did not answer with HTTP.');
      if (!status.startsWith('2')) return fail(`The egress proxy refused the connection with ${status}.`);
      end();
      // Its user sees the end of the socket; without a listener an error event would end the process.
      socket.on('error', () => undefined);
      socket.pause();
      const early = read.subarray(headEnd + 4);
      if (early.length > 0) socket.unshift(early);
      resolve(socket);
    };
    socket.on('data', onData).on('error', onError).on('close', onClose);
  });
}
