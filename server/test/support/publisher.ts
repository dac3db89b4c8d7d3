import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

export type Asked = {
  readonly path: string;
  readonly status: number;
  readonly ifNoneMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
};

export type FileOptions = {
  /** By default a strong ETag of the content; null: none is sent. */
  readonly etag?: string | null;
  readonly lastModified?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Publisher = {
  readonly port: number;
  /** The value of the option `allow` of outbound requests that permits only this publisher. */
  readonly allow: string;
  readonly url: (name: string) => string;
  /** Serves a file as a good publisher does: strong ETag, Last-Modified, 304. */
  readonly publish: (name: string, body: string | Buffer, options?: FileOptions) => void;
  readonly misbehave: (name: string, behaviour: Behaviour) => void;
  readonly asked: Asked[];
  readonly close: () => Promise<void>;
};

export async function startPublisher(): Promise<Publisher> {
  const behaviours = new Map<string, Behaviour>();
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').slice(1));
    response.on('close', () =>
      asked.push({
        path,
        status: response.statusCode,
        ifNoneMatch: request.headers['if-none-match'],
        ifModifiedSince: request.headers['if-modified-since'],
      }),
    );
    const behaviour = behaviours.get(path.split('?')[0] ?? '');
    if (behaviour === undefined) response.writeHead(404).end('no such list');
    else behaviour(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    allow: `127.0.0.1/32:${port}`,
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    publish: (name, body, options) => {
      behaviours.set(name, goodFile(Buffer.from(body), options));
    },
    misbehave: (name, behaviour) => {
      behaviours.set(name, behaviour);
    },
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Compares the ETag when there is one, else the date (RFC 9110 13.2.2). */
export function goodFile(body: Buffer, options: FileOptions = {}): Behaviour {
  const own = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  const etag = options.etag === undefined ? own : options.etag;
  const headers = {
    'content-type': options.type ?? 'text/plain; charset=utf-8',
    ...(etag === null ? {} : { etag }),
    ...(options.lastModified === undefined ? {} : { 'last-modified': options.lastModified }),
    ...options.headers,
  };
  return (request, response) => {
    const asked = request.headers['if-none-match'];
    const isSame =
      asked !== undefined && etag !== null
        ? asked.split(',').some((each) => each.trim() === etag)
        : asked === undefined &&
          options.lastModified !== undefined &&
          request.headers['if-modified-since'] === options.lastModified;
    if (isSame) response.writeHead(304, headers).end();
    else response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
  };
}

export type TlsPublisher = {
  readonly url: string;
  readonly allow: string;
  /** For `authorities`, to trust the publisher's certificate. */
  readonly certificate: string;
  readonly close: () => Promise<void>;
};

/** A publisher whose certificate names 127.0.0.1 and expired years ago, or is valid and self-signed. */
export async function startTlsPublisher(
  kind: 'expired' | 'self-signed',
  body: string,
): Promise<TlsPublisher> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-tls-'));
  const { key, certificate } = makeCertificate(folder, kind);
  rmSync(folder, { recursive: true });
  const server = createTlsServer({ key, cert: certificate }, (_, response) => response.end(body));
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/list.txt`,
    allow: `127.0.0.1/32:${port}`,
    certificate,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** `openssl ca` is the only command that accepts dates in the past. */
function makeCertificate(
  folder: string,
  kind: 'expired' | 'self-signed',
): { key: string; certificate: string } {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  writeFileSync(at('index.txt'), '');
  writeFileSync(
    at('ca.conf'),
    `[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\nnew_certs_dir=.\nrand_serial=yes\ndefault_md=sha256\npolicy=any\nx509_extensions=ext\n[any]\ncommonName=supplied\n[ext]\nsubjectAltName=IP:127.0.0.1\nbasicConstraints=critical,CA:true\n`,
  );
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key'];
  openssl('req', '-new', ...fresh, '-subj', '/CN=127.0.0.1', '-out', 'csr');
  const dates =
    kind === 'expired' ? ['-startdate', '20200101000000Z', '-enddate', '20200201000000Z'] : ['-days', '2'];
  openssl(
    'ca',
    '-config',
    'ca.conf',
    '-batch',
    '-selfsign',
    '-keyfile',
    'key',
    '-in',
    'csr',
    '-out',
    'cert',
    '-notext',
    ...dates,
  );
  return { key: readFileSync(at('key'), 'utf8'), certificate: readFileSync(at('cert'), 'utf8') };
}
