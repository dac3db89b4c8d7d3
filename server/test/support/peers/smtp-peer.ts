import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Issued } from './tls-peer.ts';

export type ReceivedMail = {
  readonly to: readonly string[];
  readonly raw: string;
  readonly isSecure: boolean;
};

/** What the server does with the next messages: an SMTP answer at a step, or a broken connection. */
export type SmtpMode =
  | 'accept'
  | { readonly at: 'sender' | 'recipient' | 'data'; readonly code: number; readonly text: string }
  /** Takes the whole message and cuts the connection before the 250. */
  | 'cut';

export type SmtpPeer = {
  readonly url: (scheme?: 'smtp' | 'smtps', credentials?: string) => string;
  readonly port: number;
  mode: SmtpMode;
  /** Messages that were answered with 250, in order, and those that were cut. */
  readonly received: ReceivedMail[];
  /** User names and passwords that clients sent. */
  readonly passwords: string[];
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

type SmtpPeerOptions = {
  readonly port?: number;
  readonly certificate?: Issued;
  readonly isSecure?: boolean;
  readonly password?: string;
};

class SmtpAnswer extends Error {
  readonly responseCode: number;
  constructor(code: number, text: string) {
    super(text);
    this.responseCode = code;
  }
}

/** A real SMTP server on loopback. */
export async function startSmtpPeer(options: SmtpPeerOptions = {}): Promise<SmtpPeer> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const received: ReceivedMail[] = [];
  const passwords: string[] = [];
  const answerAt = (step: string) =>
    typeof peer.mode === 'object' && peer.mode.at === step
      ? new SmtpAnswer(peer.mode.code, peer.mode.text)
      : null;
  const settings: SMTPServerOptions = {
    ...options.certificate,
    secure: options.isSecure ?? false,
    authOptional: options.password === undefined,
    allowInsecureAuth: options.certificate === undefined,
    hideSTARTTLS: options.certificate === undefined,
    disableReverseLookup: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) => {
      passwords.push(`${username}:${password}`);
      if (password === options.password) done(null, { user: username ?? '' });
      else done(new SmtpAnswer(535, 'Wrong password'));
    },
    onMailFrom: (_address, _session, done) => done(answerAt('sender')),
    onRcptTo: ({ address }, _session, done) => {
      const answer = answerAt('recipient');
      if (answer !== null) answer.message = answer.message.replace('ADDRESS', address);
      done(answer);
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const answer = answerAt('data');
        if (answer !== null) return done(answer);
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, raw: Buffer.concat(chunks).toString(), isSecure: session.secure });
        if (peer.mode !== 'cut') return done(null, 'kept');
        for (const socket of sockets) socket.destroy();
      });
    },
  };
  const server = new SMTPServer(settings);
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const peer: SmtpPeer = {
    url: (scheme = 'smtp', credentials = '') =>
      `${scheme}://${credentials === '' ? '' : `${credentials}@`}127.0.0.1:${port}`,
    port,
    mode: 'accept',
    received,
    passwords,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return peer;
}

/** Accepts connections and says nothing, or something that is not SMTP. */
export async function startSilentPeer(
  says = '',
  port = 0,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (says !== '') socket.write(says);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** The value of a header of a received message, without folding. */
export function headerOf({ raw }: ReceivedMail, name: string): string | undefined {
  const [head = ''] = raw.split('\r\n\r\n');
  const found = new RegExp(String.raw`^${name}:(.*(?:\r\n[ \t].*)*)`, 'im').exec(head)?.[1];
  return found?.replaceAll(/\r\n[ \t]/g, ' ').trim();
}
