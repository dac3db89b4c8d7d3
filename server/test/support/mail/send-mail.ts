import { connect, type Socket } from 'node:net';

export type Sent = { readonly code: number; readonly text: string; readonly lines: readonly string[] };

/** A plain SMTP client: one command, one answer. */
export class MailSender {
  private readonly socket: Socket;
  private held = '';
  private waiting: (() => void) | null = null;
  private isOver = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    const wake = (): void => this.waiting?.();
    socket.on('data', (bytes: Buffer) => {
      this.held += bytes.toString('latin1');
      wake();
    });
    const over = (): void => {
      this.isOver = true;
      wake();
    };
    socket.on('close', over).on('error', over).on('end', over);
  }

  static async open(port: number): Promise<MailSender> {
    const sender = new MailSender(connect(port, '127.0.0.1'));
    const greeting = await sender.answer();
    if (greeting.code === 220) await sender.say('EHLO client.example.org');
    return sender;
  }

  /** The next answer; code 0 when the connection ended. */
  async answer(): Promise<Sent> {
    for (;;) {
      const whole = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n/.exec(this.held);
      if (whole !== null) {
        this.held = this.held.slice(whole[0].length);
        return { code: Number(whole[1]), text: whole[0].trim(), lines: whole[0].trim().split('\r\n') };
      }
      if (this.isOver) return { code: 0, text: 'the connection ended', lines: [] };
      await new Promise<void>((resolve) => {
        this.waiting = resolve;
      });
    }
  }

  async say(line: string): Promise<Sent> {
    this.write(`${line}\r\n`);
    return this.answer();
  }

  write(bytes: string | Buffer): void {
    if (!this.socket.destroyed) this.socket.write(bytes);
  }

  /** The answer to the end of the message, or the first refusal before it. */
  async send(message: Buffer | string, recipients: readonly string[] = ['b@example.net']): Promise<Sent> {
    for (const line of ['MAIL FROM:<a@example.org>', ...recipients.map((to) => `RCPT TO:<${to}>`)]) {
      const said = await this.say(line);
      if (said.code >= 300 || said.code === 0) return said;
    }
    const ready = await this.say('DATA');
    if (ready.code !== 354) return ready;
    this.write(dotted(message));
    return this.answer();
  }

  close(): void {
    this.socket.destroy();
  }
}

export const dotted = (message: Buffer | string): Buffer => {
  const text = typeof message === 'string' ? message : message.toString('latin1');
  const end = text.endsWith('\r\n') ? '' : '\r\n';
  return Buffer.from(`${text.replace(/(^|\r\n)\./g, '$1..')}${end}.\r\n`, 'latin1');
};
