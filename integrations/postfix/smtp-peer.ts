import type { Socket } from 'node:net';

const CRLF = '\r\n';
const LF = 0x0a;
const CR = 0x0d;
const DOT = 0x2e;
const END = Buffer.from('\r\n.\r\n');
const LINE_BYTES_MAX = 4_096;
const REPLY_LINES_MAX = 100;

export type Reply = { readonly code: number; readonly lines: readonly string[] };

/** One side of an SMTP connection: lines, replies and messages, each with a limit of bytes and of time. */
export class SmtpPeer {
  private readonly socket: Socket;
  private readonly idleMs: number;
  private held: Buffer = Buffer.alloc(0);
  private isOver = false;
  private wake: (() => void) | null = null;

  constructor(socket: Socket, idleMs: number) {
    this.socket = socket;
    this.idleMs = idleMs;
    socket.setNoDelay(true);
    const over = (): void => {
      this.isOver = true;
      this.wake?.();
    };
    socket.on('readable', () => {
      if (this.wake !== null) this.wake();
      // Only a read notices that the other side has hung up.
      else if (socket.readableLength === 0) socket.read();
    });
    socket.on('end', over).on('close', over).on('error', over);
  }

  get isClosed(): boolean {
    return this.isOver || this.socket.destroyed;
  }

  /** The next bytes, or null when the other side is gone or silent for too long. */
  private async more(waitMs: number): Promise<Buffer | null> {
    const until = performance.now() + waitMs;
    for (;;) {
      const bytes = this.socket.read() as Buffer | null;
      if (bytes !== null) return bytes;
      const leftMs = until - performance.now();
      if (this.isClosed || leftMs <= 0) return null;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = null;
    }
  }

  /** One line without its end; null when the connection is over, the line too long or the other side silent. */
  async readLine(waitMs = this.idleMs): Promise<string | null> {
    for (;;) {
      const end = this.held.indexOf(LF);
      if (end >= 0) {
        const isTerminated = this.held[end - 1] === CR;
        const line = this.held.toString('latin1', 0, isTerminated ? end - 1 : end);
        this.held = this.held.subarray(end + 1);
        return line;
      }
      if (this.held.length > LINE_BYTES_MAX) return null;
      const bytes = await this.more(waitMs);
      if (bytes === null) return null;
      this.held = this.held.length === 0 ? bytes : Buffer.concat([this.held, bytes]);
    }
  }

  async readReply(waitMs = this.idleMs): Promise<Reply | null> {
    const lines: string[] = [];
    while (lines.length < REPLY_LINES_MAX) {
      const line = await this.readLine(waitMs);
      const parts = line === null ? null : /^([2-5]\d\d)(?:([ -])(.*))?$/.exec(line);
      if (parts === null) return null;
      lines.push(parts[3] ?? '');
      if (parts[2] !== '-') return { code: Number(parts[1]), lines };
    }
    return null;
  }

  /**
   * Reads a message up to its end, for which only CRLF "." CRLF counts, so that another reading of line ends cannot
   * smuggle a second message. Null: the connection ended before. `tooLarge`: the message was read to its end and not
   * kept.
   */
  async readMessage(bytesMax: number): Promise<Buffer | 'tooLarge' | null> {
    const chunks: Buffer[] = [];
    let size = 0;
    // The line before the message ended with CRLF, so a dot that begins the message may be its end.
    let seen: Buffer = Buffer.from(CRLF);
    let chunk: Buffer = this.held;
    this.held = Buffer.alloc(0);
    for (;;) {
      const window = Buffer.concat([seen, chunk]);
      const end = window.indexOf(END);
      if (end >= 0) {
        this.held = window.subarray(end + END.length);
        const own = end + CRLF.length - seen.length;
        if (own >= 0) chunks.push(chunk.subarray(0, own));
        size += own;
        break;
      }
      size += chunk.length;
      if (size <= bytesMax + END.length) chunks.push(chunk);
      else chunks.length = 0;
      seen = Buffer.from(window.subarray(Math.max(0, window.length - (END.length - 1))));
      const next = await this.more(this.idleMs);
      if (next === null) return null;
      chunk = next;
    }
    if (size > bytesMax) return 'tooLarge';
    // The final CRLF "." CRLF may have begun in an earlier chunk, so it is cut off here.
    return unstuffed(Buffer.concat(chunks).subarray(0, Math.max(0, size)));
  }

  write(text: string): void {
    if (!this.socket.destroyed) this.socket.write(text, 'latin1');
  }

  reply(code: number, ...lines: readonly string[]): void {
    this.write(lines.map((line, i) => `${code}${i === lines.length - 1 ? ' ' : '-'}${line}${CRLF}`).join(''));
  }

  /** The message with CRLF at every end of a line, dots doubled, and the dot that ends it. */
  writeMessage(message: Buffer): void {
    if (this.socket.destroyed) return;
    this.socket.cork();
    for (const part of stuffed(message)) this.socket.write(part);
    this.socket.uncork();
  }

  end(): void {
    this.socket.end();
    this.socket.destroySoon();
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** Removes the extra dot that SMTP puts before each line that begins with one. */
function unstuffed(message: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = message[0] === DOT ? 1 : 0;
  for (let at = message.indexOf('\r\n.'); at >= 0; at = message.indexOf('\r\n.', at + 3)) {
    parts.push(message.subarray(from, at + 2));
    from = at + 3;
  }
  return from === 0 ? message : Buffer.concat([...parts, message.subarray(from)]);
}

function stuffed(message: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  const dot = Buffer.from('.');
  if (message[0] === DOT) parts.push(dot);
  let from = 0;
  for (let at = message.indexOf(LF); at >= 0; at = message.indexOf(LF, at + 1)) {
    const isBare = message[at - 1] !== CR;
    const isDotNext = message[at + 1] === DOT;
    if (!isBare && !isDotNext) continue;
    parts.push(message.subarray(from, isBare ? at : at + 1));
    if (isBare) parts.push(Buffer.from(CRLF));
    if (isDotNext) parts.push(dot);
    from = at + 1;
  }
  parts.push(message.subarray(from));
  const isEnded = message.length === 0 || message[message.length - 1] === LF;
  parts.push(Buffer.from(isEnded ? '.\r\n' : '\r\n.\r\n'));
  return parts;
}
