import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** Answers that are made to cost the sender time or memory. Each gets the response and does what it likes with it. */
export const BAD_RECEIVERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'a body of 100 MB': (response) =>
    void endless(response, 100 * 1024 * 1024, { 'content-length': 100 * 1024 * 1024 }),
  'a body without end': (response) => void endless(response, Number.POSITIVE_INFINITY),
  'a byte a second': (response) => drip(response.writeHead(200), 'x', 1_000),
  'a byte a second after 500': (response) => drip(response.writeHead(500), 'x', 1_000),
  'headers, a byte a second': (response) => dripRaw(response, 'HTTP/1.1 200 OK\r\nx-slow: '),
  'a status line, a byte a second': (response) => dripRaw(response, ''),
  'no answer': () => undefined,
  'a redirect to itself': (response) => void response.writeHead(301, { location: '/' }).end(),
  'a redirect to metadata': (response) =>
    void response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  'a redirect without a place': (response) => void response.writeHead(308).end(),
  '410': (response) => void response.writeHead(410).end(),
  '10,000 headers': (response) => raw(response, `HTTP/1.1 200 OK\r\n${'x-flood: y\r\n'.repeat(10_000)}`),
  'a header of 10 MB': (response) => raw(response, `HTTP/1.1 200 OK\r\nx-long: ${'y'.repeat(10_000_000)}`),
  'cookies of 15 KB': (response) =>
    void response.writeHead(200, { 'set-cookie': 'a='.padEnd(15_000, 'b') }).end(),
  'no HTTP': (response) => raw(response, 'SSH-2.0-OpenSSH_9.2\r\n\r\n'),
  'HTTP of 1991': (response) => raw(response, '<html>hello</html>'),
  'a reset': (response) => {
    const plain = (response.socket as unknown as { _parent?: Socket } | null)?._parent;
    plain?.resetAndDestroy();
  },
  'an end without an answer': (response) => void response.socket?.end(),
  'a body that is cut': (response) => {
    response.writeHead(500, { 'content-length': '1000' }).write('half');
    setTimeout(() => response.destroy(), 50).unref();
  },
  'a bomb of gzip': (response) =>
    void response
      .writeHead(200, { 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(64 * 1024 * 1024))),
  'an unknown encoding': (response) =>
    void response.writeHead(200, { 'content-encoding': 'rot13' }).end('uryyb'),
  'a status of 999': (response) => raw(response, 'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n'),
  '100 again and again': (response) => raw(response, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(10_000)),
  'Retry-After of a year': (response) => void response.writeHead(503, { 'retry-after': '31536000' }).end(),
  'control characters': (response) =>
    void response.writeHead(400).end('\u0000\u001b[2J\u202e evil '.repeat(2_000)),
};

function raw(response: ServerResponse, text: string): void {
  response.socket?.on('error', () => undefined).write(text);
}

function drip(response: ServerResponse, text: string, everyMs: number): void {
  const timer = setInterval(() => response.write(text), everyMs);
  response.on('close', () => clearInterval(timer));
}

function dripRaw(response: ServerResponse, start: string): void {
  raw(response, start === '' ? 'H' : start);
  const timer = setInterval(() => response.socket?.write('x'), 1_000);
  response.socket?.on('close', () => clearInterval(timer));
}

async function endless(
  response: ServerResponse,
  bytes: number,
  headers: Record<string, number> = {},
): Promise<void> {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let isOpen = true;
  response
    .on('error', () => undefined)
    .on('close', () => {
      isOpen = false;
    });
  response.writeHead(200, headers);
  for (let sent = 0; sent < bytes && isOpen; sent += chunk.length) {
    if (!response.write(chunk))
      await new Promise<void>((resolve) => {
        response.once('drain', resolve).once('close', resolve);
      });
  }
  if (isOpen) response.end();
}
