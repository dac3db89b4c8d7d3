import { connect } from 'node:net';
import type { Address } from './settings.ts';
import { type Reply, SmtpPeer } from './smtp-peer.ts';

const CONNECT_MS = 10_000;
const REPLY_MS = 60_000;
/** Wait for Postfix to accept a message: shorter than the 600 s that Postfix waits for us (smtp_data_done_timeout). */
const ACCEPT_MS = 300_000;

/** The connection to the listener where Postfix takes mail back. A failure to open it or to get a reply gives null. */
export class Reinjection {
  readonly extensions: readonly string[];
  private readonly peer: SmtpPeer;

  private constructor(peer: SmtpPeer, extensions: readonly string[]) {
    this.peer = peer;
    this.extensions = extensions;
  }

  static async open({ host, port }: Address, name: string): Promise<Reinjection | null> {
    const socket = connect({ host, port });
    const peer = new SmtpPeer(socket, REPLY_MS);
    const greeting = await peer.readReply(CONNECT_MS);
    if (greeting?.code === 220) {
      peer.write(`EHLO ${name}\r\n`);
      const reply = await peer.readReply();
      if (reply?.code === 250)
        return new Reinjection(
          peer,
          reply.lines.slice(1).map((line) => line.toUpperCase()),
        );
    }
    peer.destroy();
    return null;
  }

  async command(line: string): Promise<Reply | null> {
    this.peer.write(`${line}\r\n`);
    return this.peer.readReply();
  }

  /** Sends a message. Only the last reply, after its end, says that Postfix has taken it. */
  async send(message: Buffer): Promise<Reply | null> {
    const ready = await this.command('DATA');
    if (ready?.code !== 354) return ready;
    this.peer.writeMessage(message);
    return this.peer.readReply(ACCEPT_MS);
  }

  close(): void {
    this.peer.write('QUIT\r\n');
    this.peer.end();
  }
}
