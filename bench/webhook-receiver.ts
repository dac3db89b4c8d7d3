import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A TLS receiver in a process of its own, so that its work is not counted as the sender's. */
const [keyFile = '', certFile = ''] = process.argv.slice(2);
let lags: number[] = [];
const server = createServer(
  { key: readFileSync(keyFile), cert: readFileSync(certFile) },
  (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const at = body.indexOf('"atMs":');
      lags.push(Date.now() - Number.parseFloat(body.slice(at + 7, at + 24)));
      response.writeHead(204).end();
    });
  },
);
server.keepAliveTimeout = 60_000;
server.listen(0, '0.0.0.0', () => process.send?.((server.address() as AddressInfo).port));
process.on('message', (message: 'count' | 'take') => {
  process.send?.(message === 'count' ? lags.length : lags);
  if (message === 'take') lags = [];
});
