import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

export type Issued = { readonly cert: string; readonly key: string };
export type IssueOptions = {
  /** In the syntax of `openssl req -subj`. */
  readonly subject?: string;
  readonly names?: readonly string[];
  /** Negative for a certificate that has expired. */
  readonly days?: number;
  readonly isSelfSigned?: boolean;
};
export type Authority = {
  readonly pem: string;
  readonly issue: (options: IssueOptions) => Issued;
  readonly close: () => void;
};

const EC_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A test authority: its certificates are issued when the test runs, so that no date expires. */
export function makeAuthority(name = 'Test Authority'): Authority {
  const dir = mkdtempSync(join(tmpdir(), 'assay-authority-'));
  const at = (file: string) => join(dir, file);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const subject = ['-subj', `/CN=${name}`, '-days', '30'];
  openssl('req', '-x509', ...EC_KEY, ...subject, '-keyout', at('ca.key'), '-out', at('ca.pem'));
  let issued = 0;
  return {
    pem: readFileSync(at('ca.pem'), 'utf8'),
    issue: ({ subject = '/CN=a host', names = [], days = 10, isSelfSigned = false }) => {
      issued += 1;
      const [key, request, cert, extensions] = ['key', 'csr', 'pem', 'cnf'].map((end) =>
        at(`${issued}.${end}`),
      ) as [string, string, string, string];
      const alternatives = names.map((each, i) => each.replace(/^(\w+):/, `$1.${i}=`));
      const sections = names.length === 0 ? [] : ['subjectAltName=@names', '[names]', ...alternatives];
      writeFileSync(extensions, ['basicConstraints=CA:FALSE', ...sections, ''].join('\n'));
      openssl('req', '-new', '-utf8', ...EC_KEY, '-subj', subject, '-keyout', key, '-out', request);
      const signer = isSelfSigned ? ['-signkey', key] : ['-CA', at('ca.pem'), '-CAkey', at('ca.key')];
      const validity = ['-days', String(days), '-extfile', extensions];
      openssl('x509', '-req', '-in', request, ...signer, ...validity, '-out', cert);
      return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    },
    close: () => rmSync(dir, { recursive: true, force: true }),
  };
}

export type TlsPeer = {
  readonly port: number;
  readonly connections: () => number;
  /** Bytes received after the handshake; empty for a client that only reads the certificate. */
  readonly received: () => Buffer;
  /** The server names that clients sent; null where they sent none. */
  readonly serverNames: readonly (string | null)[];
  readonly left: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function startTlsPeer(
  { cert, key }: Issued,
  options: TlsOptions = {},
  where: { readonly host?: string; readonly port?: number } = {},
): Promise<TlsPeer> {
  const received: Buffer[] = [];
  const serverNames: (string | null)[] = [];
  const server = createTlsServer({ cert, key, ...options }, (socket) => {
    // Node gives false where the client sent no name.
    const name: unknown = socket.servername;
    serverNames.push(typeof name === 'string' ? name : null);
    socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  const listening = await listen(server, where);
  return { ...listening, received: () => Buffer.concat(received), serverNames };
}

export type RawPeer = Pick<TlsPeer, 'port' | 'connections' | 'left' | 'close'>;

/** A server without TLS of its own: silence, invalid bytes, a reset, as `behave` does. */
export const startRawPeer = (
  behave: (socket: Socket) => void,
  where: { readonly host?: string; readonly port?: number } = {},
): Promise<RawPeer> =>
  listen(
    createServer((socket) => {
      behave(socket.on('error', () => undefined));
      // A socket that does not read never sees the other end close.
      socket.resume();
    }),
    where,
  );

/** Forwards a client to a real TLS server, and returns the answer one byte at a time. */
export const startDrippingPeer = (behind: number, everyMs: number): Promise<RawPeer> =>
  startRawPeer((socket) => {
    const inner = connect(behind, '127.0.0.1').on('error', () => undefined);
    const waiting: number[] = [];
    socket.pipe(inner);
    inner.on('data', (chunk: Buffer) => waiting.push(...chunk));
    const drip = setInterval(() => {
      const byte = waiting.shift();
      if (byte !== undefined) socket.write(Buffer.of(byte));
    }, everyMs);
    socket.on('close', () => {
      clearInterval(drip);
      inner.destroy();
    });
  });

export const startCountingPeer = (behind: number, sent: (bytes: number) => void): Promise<RawPeer> =>
  startRawPeer((socket) => {
    const inner = connect(behind, '127.0.0.1').on('error', () => undefined);
    inner.on('data', (chunk: Buffer) => sent(chunk.length));
    socket.pipe(inner).pipe(socket);
    socket.on('close', () => inner.destroy());
  });

async function listen(
  server: Server,
  where: { readonly host?: string; readonly port?: number },
): Promise<RawPeer> {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.listen(where.port ?? 0, where.host ?? '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    left: async () => {
      await Promise.all([...open].map((socket) => new Promise((gone) => socket.once('close', gone))));
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
