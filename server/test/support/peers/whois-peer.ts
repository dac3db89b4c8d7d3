import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** The answer to one line, or `never`: no answer, or an answer without an end. */
export type WhoisSaid = string | Buffer | { readonly never: 'answers' | 'stops' };

export type WhoisPeer = {
  readonly port: number;
  readonly questions: readonly string[];
  readonly close: () => Promise<void>;
};

const CHUNK = Buffer.alloc(64 * 1024, 'A');

/** WHOIS (RFC 3912) on loopback: one line in, text out, closed. `answer` is called for every connection. */
export async function startWhoisPeer(
  answer: (question: string) => WhoisSaid,
  where: { readonly port?: number } = {},
): Promise<WhoisPeer> {
  const questions: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\r\n');
      if (end === -1) return;
      const question = text.slice(0, end);
      text = '';
      questions.push(question);
      const said = answer(question);
      if (typeof said === 'string' || Buffer.isBuffer(said)) socket.end(said);
      else if (said.never === 'stops') pump(socket);
    });
  });
  server.listen(where.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    questions,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function pump(socket: Socket): void {
  while (!socket.destroyed && socket.write(CHUNK)) {
    // Writes until the socket's buffer is full.
  }
  if (!socket.destroyed) socket.once('drain', () => pump(socket));
}
