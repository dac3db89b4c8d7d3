import { createSocket } from 'node:dgram';
import { connect, isIP } from 'node:net';
import { DnsError } from './dns-error.ts';
import type { DnsServer } from './servers.ts';

export type Exchange<T> = {
  readonly server: DnsServer;
  readonly query: Buffer;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Null when the message is not our answer and the next one is awaited. Throws when it is ours but unreadable. */
  readonly read: (message: Buffer) => T | null;
};

/** After this many wrong answers an attacker is probably guessing, so the query fails. */
const FOREIGN_MAX = 64;
const LENGTH_BYTES = 2;

type Settle<T> = { readonly done: (value: T) => void; readonly fail: (error: unknown) => void };

/** Wraps a socket in one promise that ends with the first of an answer, an error, the timeout or the caller's abort. */
function settling<T>(
  { timeoutMs, signal }: Pick<Exchange<T>, 'timeoutMs' | 'signal'>,
  open: (settle: Settle<T>) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let close: (() => void) | null = null;
    let isOver = false;
    const end = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      close?.();
      settle();
    };
    const fail = (error: unknown) => end(() => reject(error));
    const leave = () => fail(new DnsError('aborted', 'The caller cancelled the query.', signal?.reason));
    const timer = setTimeout(
      () => fail(new DnsError('timeout', 'The name server did not answer in time.')),
      timeoutMs,
    );
    signal?.addEventListener('abort', leave, { once: true });
    close = open({ done: (value) => end(() => resolve(value)), fail });
    if (isOver) close();
  });
}

const unreachable = (cause: unknown): DnsError =>
  new DnsError('timeout', 'The name server could not be reached.', cause);

/**
 * Sends one datagram and waits for one. Each query uses a new socket: the kernel picks a random port (RFC 5452 9.2),
 * and a connected socket drops packets from other addresses.
 */
export const exchangeUdp = <T>(exchange: Exchange<T>): Promise<T> =>
  settling(exchange, ({ done, fail }) => {
    const { server, query, read } = exchange;
    const socket = createSocket(isIP(server.host) === 6 ? 'udp6' : 'udp4');
    let foreign = 0;
    socket.on('error', (error) => fail(unreachable(error)));
    socket.on('message', (message) => {
      try {
        const value = read(message);
        if (value !== null) return done(value);
        foreign += 1;
        if (foreign >= FOREIGN_MAX) fail(new DnsError('garbage', 'Only answers to other questions came.'));
      } catch (error) {
        fail(error);
      }
    });
    socket.connect(server.port, server.host, () =>
      socket.send(query, (error) => error && fail(unreachable(error))),
    );
    return () => socket.close();
  });

/** One query for each connection (RFC 7766). The two-byte length limits an answer to 64 KiB. */
export const exchangeTcp = <T>(exchange: Exchange<T>): Promise<T> =>
  settling(exchange, ({ done, fail }) => {
    const { server, query, read } = exchange;
    const socket = connect({ host: server.host, port: server.port });
    const chunks: Buffer[] = [];
    let [received, wanted] = [0, Number.POSITIVE_INFINITY];
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt16BE(query.length);
    socket.on('connect', () => socket.write(Buffer.concat([length, query])));
    socket.on('error', (error) => fail(unreachable(error)));
    socket.on('end', () => fail(new DnsError('garbage', 'The name server hung up inside its answer.')));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received < LENGTH_BYTES) return;
      if (wanted === Number.POSITIVE_INFINITY) wanted = LENGTH_BYTES + Buffer.concat(chunks).readUInt16BE(0);
      if (received < wanted) return;
      try {
        const value = read(Buffer.concat(chunks).subarray(LENGTH_BYTES, wanted));
        if (value === null) fail(new DnsError('garbage', 'The answer is to another question.'));
        else done(value);
      } catch (error) {
        fail(error);
      }
    });
    return () => socket.destroy();
  });
