import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Received = {
  readonly path: string;
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly atMs: number;
};

/** Returns the status to answer with, or undefined when it has written the response itself. */
export type Answering = (
  received: Received,
  response: ServerResponse,
  request: IncomingMessage,
) => number | undefined | Promise<number | undefined>;

export type Receiver = {
  readonly port: number;
  readonly caFile: string;
  readonly ca: string;
  readonly received: Received[];
  /** A URL of this server under one of 250 loopback addresses, so that each endpoint counts as another host. */
  readonly urlOf: (host?: number, path?: string) => string;
  readonly answer: (next: Answering) => void;
  readonly close: () => Promise<void>;
};

/** Answers a verification with its challenge and everything else with 204. */
export const consenting: Answering = ({ body }, response) => {
  const { type, data } = JSON.parse(body) as { type: string; data: { challenge?: string } };
  if (type !== 'webhook.verification') return 204;
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ challenge: data.challenge }));
  return undefined;
};

const HOSTS = 250;

/** An authority and a certificate for 127.0.0.1 to 127.0.0.250, made by openssl. */
export function makeReceiverCertificate(): {
  readonly folder: string;
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-receiver-'));
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = Array.from({ length: HOSTS }, (_, host) => `IP:127.0.0.${host + 1}`).join(',');
  openssl(
    'req',
    '-x509',
    ...key,
    '-subj',
    '/CN=Test authority',
    '-days',
    '2',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
  );
  openssl(
    'req',
    '-new',
    ...key,
    '-subj',
    '/CN=receiver',
    '-keyout',
    at('key.pem'),
    '-out',
    at('request.pem'),
  );
  writeFileSync(at('names'), `subjectAltName=${names}\n`);
  const signer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2'];
  openssl(
    'x509',
    '-req',
    '-in',
    at('request.pem'),
    ...signer,
    '-extfile',
    at('names'),
    '-out',
    at('cert.pem'),
  );
  return {
    folder,
    key: readFileSync(at('key.pem'), 'utf8'),
    cert: readFileSync(at('cert.pem'), 'utf8'),
    ca: readFileSync(at('ca.pem'), 'utf8'),
  };
}

/** A real TLS server that records every request, also those that it answers with a failure. */
export async function startReceiver(): Promise<Receiver> {
  const { folder, key, cert, ca } = makeReceiverCertificate();
  const received: Received[] = [];
  let answering: Answering = () => 204;
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const got = {
        path: request.url ?? '',
        id: headers['webhook-id'] ?? '',
        headers,
        body: Buffer.concat(chunks).toString(),
        atMs: Date.now(),
      };
      received.push(got);
      const status = await answering(got, response, request);
      if (status !== undefined) response.writeHead(status).end();
    });
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '0.0.0.0', () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    caFile: join(folder, 'ca.pem'),
    ca,
    received,
    urlOf: (host = 1, path = '/') => `https://127.0.0.${host}:${port}${path}`,
    answer: (next) => {
      answering = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
