import { gzipSync } from 'node:zlib';
import type { Behaviour } from './publisher.ts';

/** Faulty answers of a publisher or a proxy before it. Each is a behaviour of a loopback publisher. */

export const answers =
  (status: number, body: string | Buffer = '', headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

export const body = (content: string | Buffer, type = 'text/plain'): Behaviour =>
  answers(200, content, { 'content-type': type });

export const html = (text: string): Behaviour => body(text, 'text/html; charset=utf-8');

export const redirectsTo = (location: string, status = 302): Behaviour => answers(status, '', { location });

export const silence: Behaviour = () => undefined;

/** Sends the headers one byte at a time, slower than any deadline. */
export const slowHeaders: Behaviour = (request) => {
  const { socket } = request;
  const text = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n';
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text.charAt(at));
    at += 1;
  }, 100);
  socket.on('close', () => clearInterval(timer));
};

export const slowBody: Behaviour = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' });
  let at = 0;
  const timer = setInterval(() => {
    at += 1;
    response.write(`198.18.${at >> 8}.${at & 255}\n`);
  }, 50);
  response.on('close', () => clearInterval(timer));
};

export const endlessBody =
  (piece: Buffer): Behaviour =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const send = () => {
      while (!response.destroyed) if (!response.write(piece)) return;
    };
    response.on('drain', send);
    send();
  };

/** A line of `bytes` characters, which a reader must not hold in memory. */
export const longLine =
  (bytes: number): Behaviour =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': bytes });
    const piece = Buffer.alloc(1024 * 1024, 'a');
    let left = bytes;
    const send = () => {
      while (left > 0) {
        const now = piece.subarray(0, Math.min(left, piece.length));
        left -= now.length;
        if (!response.write(now)) return;
      }
      response.end();
    };
    response.on('drain', send);
    send();
  };

export const cutAt =
  (content: Buffer, bytes: number): Behaviour =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': content.length });
    response.write(content.subarray(0, bytes), () => response.destroy());
  };

/** Disconnects early without a declared length: the last chunk never comes. */
export const cutChunkedAt =
  (content: Buffer, bytes: number): Behaviour =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write(content.subarray(0, bytes), () => response.destroy());
  };

export const wrongLength =
  (content: Buffer, length: number): Behaviour =>
  (request) => {
    request.socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\n\r\n`);
    request.socket.write(content, () => request.socket.end());
  };

/** Valid headers, then bytes that do not match the declared encoding. */
export const notGzip = (content: Buffer): Behaviour =>
  answers(200, content, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });

/** 200 MB of one repeated line, compressed to 200 kB. */
export const bomb = (): Buffer => gzipSync(Buffer.alloc(200 * 1024 * 1024, '45.64.0.1\n'), { level: 9 });

export const notHttp: Behaviour = (request) => {
  request.socket.end('SSH-2.0-OpenSSH_9.2\r\n');
};

export const resets: Behaviour = (request) => {
  request.socket.resetAndDestroy();
};
