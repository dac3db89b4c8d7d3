import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type SunkMail = {
  readonly from: string;
  readonly recipients: readonly string[];
  readonly raw: string;
  /** Whether the sender heard the 250. */
  readonly heard: () => boolean;
};

export type SmtpSink = {
  readonly port: number;
  readonly mails: SunkMail[];
  /** Every command line of every connection. */
  readonly commands: string[];
  /** The answer to the next messages; `hang` keeps the message and says nothing. */
  answer: (raw: string) => string;
  readonly close: () => Promise<void>;
};

const EXTENSIONS = [
  '8BITMIME',
  'SMTPUTF8',
  'ENHANCEDSTATUSCODES',
  'XFORWARD NAME ADDR PROTO HELO PORT IDENT',
];

/** A mail server that keeps what it gets in memory. It reads the dots and line ends on its own, apart from the bridge. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    serve(socket, sink);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sink: SmtpSink = {
    port: (server.address() as AddressInfo).port,
    mails: [],
    commands: [],
    answer: () => '250 2.0.0 Kept',
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return sink;
}

function serve(socket: Socket, sink: SmtpSink): void {
  let held = '';
  let from = '';
  let recipients: string[] = [];
  let isData = false;
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  const obey = (line: string): void => {
    sink.commands.push(line);
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'EHLO')
      say(
        ['sink', ...EXTENSIONS]
          .map((each) => `250-${each}`)
          .join('\r\n')
          .replace(/250-(?=[^\r]*$)/, '250 '),
      );
    else if (verb === 'DATA') {
      isData = true;
      say('354 go on');
    } else if (verb === 'RCPT' && line.includes('refused@')) say('550 5.1.1 No such mailbox');
    else {
      if (verb === 'MAIL') [from, recipients] = [/<(.*?)>/.exec(line)?.[1] ?? '', []];
      if (verb === 'RCPT') recipients.push(/<(.*?)>/.exec(line)?.[1] ?? '');
      say(verb === 'QUIT' ? '221 bye' : '250 2.0.0 ok');
    }
  };
  const takeMessage = (end: number): void => {
    const raw = held
      .slice(0, end)
      .split('\r\n')
      .map((line) => line.replace(/^\./, ''))
      .join('\r\n');
    held = held.slice(end + 5);
    isData = false;
    const answer = sink.answer(raw);
    if (!/^[45]/.test(answer)) sink.mails.push({ from, recipients, raw, heard: () => !socket.destroyed });
    if (answer !== 'hang') say(answer);
  };
  say('220 sink ESMTP');
  const early: string[] = [];
  socket.on('data', (bytes: Buffer) => {
    held += bytes.toString('latin1');
    // A large message is joined once, at its end.
    if (isData && !held.includes('\r\n.\r\n')) {
      early.push(held.slice(0, -4));
      held = held.slice(-4);
      return;
    }
    held = early.splice(0).join('') + held;
    for (;;) {
      const end = held.indexOf(isData ? '\r\n.\r\n' : '\r\n');
      if (end < 0) return;
      if (isData) takeMessage(end);
      else {
        const line = held.slice(0, end);
        held = held.slice(end + 2);
        obey(line);
      }
    }
  });
}
