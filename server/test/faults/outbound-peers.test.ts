import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import {
  createOutbound,
  type FetchOptions,
  type Outbound,
  type OutboundOptions,
} from '#platform/outbound.ts';
import { type DnsAnswer, type DnsPeer, startDnsPeer } from '#test/dns-peer.ts';
import { eventually } from '#test/eventually.ts';
import { expectWithin } from '#test/expect-within.ts';
import { type HttpPeer, startHttpPeer } from '#test/http-peer.ts';

const log = createLog('silent');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Longer than a busy machine needs; the test of the deadline has its own. */
const LIMITS: FetchOptions = { deadlineMs: 60_000, bytesMax: 1_000_000, schemes: ['http', 'https'] };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
async function peer(handle: Handler, where?: { host?: string; port?: number }): Promise<HttpPeer> {
  const started = await startHttpPeer(handle, where);
  closing.push(started.close);
  return started;
}
async function dns(answer: (type: 'A' | 'AAAA', name: string, asked: number) => DnsAnswer): Promise<DnsPeer> {
  const started = await startDnsPeer(answer);
  closing.push(started.close);
  return started;
}
function outbound(options: Partial<OutboundOptions> = {}): Outbound {
  const created = createOutbound({ log, clock: systemClock(), ...options });
  closing.push(created.close);
  return created;
}
const allow = (...peers: readonly { port: number }[]) => peers.map(({ port }) => `127.0.0.1/32:${port}`);
const onlyV4 =
  (addresses: DnsAnswer) =>
  (type: 'A' | 'AAAA'): DnsAnswer =>
    type === 'A' ? addresses : [];

test('an answer comes back with its headers, without cookies, and the request carries no cookies', async () => {
  let seen: IncomingMessage['headers'] = {};
  const server = await peer((request, response) => {
    seen = request.headers;
    response.writeHead(200, {
      etag: '"v1"',
      'set-cookie': 'a=b',
      'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT',
    });
    response.end('hello');
  });
  process.env.HTTP_PROXY = 'http://127.0.0.1:1';
  closing.push(() => delete process.env.HTTP_PROXY);
  const answer = await outbound({ allow: allow(server) }).fetch(server.url, {
    ...LIMITS,
    headers: { 'X-Token': 't' },
  });
  expect(answer).toMatchObject({ status: 200, etag: '"v1"', lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' });
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(await answer.text()).toBe('hello');
  expect(seen).toMatchObject({ host: `127.0.0.1:${server.port}`, 'x-token': 't' });
  expect(seen.cookie).toBeUndefined();
});

test('without an explicit allowance no connection to a peer on loopback is made', async () => {
  const server = await peer((_, response) => response.end('secret'));
  const ports = [server.port];
  const names = await dns(onlyV4(['127.0.0.1']));
  const guarded = outbound({ dnsServers: [names.server] });
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::ffff:127.0.0.1]',
    '2130706433',
    'innocent.test',
    'innocent.test.',
  ])
    await expect(guarded.fetch(`http://${host}:${server.port}/`, { ...LIMITS, ports })).rejects.toMatchObject(
      {
        reason: 'address',
      },
    );
  expect(server.connections()).toBe(0);
});

test('a name is refused when one of its addresses is special, whatever its family and position', async () => {
  const names = await dns((type, name) => {
    if (name === 'mixed.test') return type === 'A' ? ['8.8.8.8', '10.0.0.1'] : [];
    if (name === 'six.test') return type === 'A' ? ['8.8.8.8'] : ['fd00::1'];
    if (name === 'nat.test') return type === 'A' ? [] : ['64:ff9b::7f00:1'];
    if (name === 'meta.test') return type === 'A' ? ['169.254.169.254'] : [];
    return 'NXDOMAIN';
  });
  const guarded = outbound({ dnsServers: [names.server] });
  for (const name of ['mixed.test', 'six.test', 'nat.test', 'meta.test'])
    await expect(guarded.fetch(`https://${name}/`, LIMITS)).rejects.toMatchObject({ reason: 'address' });
  await expect(guarded.fetch('https://nowhere.test/', LIMITS)).rejects.toMatchObject({ reason: 'dns' });
});

test('rebinding: each connection is judged by the DNS answer that it uses', async () => {
  const server = await peer((_, response) => response.setHeader('connection', 'close').end('public'));
  const inner = await peer((_, response) => response.end('secret'), { host: '127.0.0.2', port: server.port });
  const names = await dns((type, _name, asked) => {
    if (type === 'AAAA') return [];
    return asked === 0 ? ['127.0.0.1'] : ['127.0.0.2'];
  });
  const guarded = outbound({ dnsServers: [names.server], allow: allow(server) });
  const url = `http://rebind.test:${server.port}/`;
  expect(await (await guarded.fetch(url, LIMITS)).text()).toBe('public');
  // One query per connection, so no second answer can differ from the one that was judged.
  expect(names.questions.filter((question) => question === 'A rebind.test')).toHaveLength(1);
  await expect(guarded.fetch(url, LIMITS)).rejects.toMatchObject({ reason: 'address' });
  expect(inner.connections()).toBe(0);
});

test('redirects are off by default, and each one is judged again', async () => {
  const inner = await peer((_, response) => response.end('secret'));
  const server = await peer((request, response) => {
    const to = decodeURIComponent((request.url ?? '').slice(1));
    if (to === 'end') response.end('arrived');
    else response.writeHead(302, { location: to === 'loop' ? '/loop' : to }).end();
  });
  const guarded = outbound({ allow: allow(server) });
  const go = (to: string, redirects: number) =>
    guarded.fetch(`${server.url}/${encodeURIComponent(to)}`, {
      ...LIMITS,
      redirects,
      ports: [80, 443, inner.port],
    });
  expect((await guarded.fetch(`${server.url}/end2`, LIMITS)).status).toBe(302);
  expect(await (await go('/end', 1)).text()).toBe('arrived');
  for (const to of [
    'http://169.254.169.254/latest/meta-data/',
    inner.url,
    `http://[::ffff:127.0.0.1]:${inner.port}/`,
    'http://0x7f.1/',
    '//10.0.0.1/',
  ])
    await expect(go(to, 3)).rejects.toMatchObject({ reason: 'address' });
  await expect(go('file:///etc/passwd', 3)).rejects.toMatchObject({ reason: 'invalid_url' });
  await expect(go('http://a:b@example.com/', 3)).rejects.toMatchObject({ reason: 'userinfo' });
  await expect(go('http://example.com:22/', 3)).rejects.toMatchObject({ reason: 'port' });
  await expect(go('loop', 3)).rejects.toMatchObject({ reason: 'redirect' });
  expect(inner.connections()).toBe(0);
});

test('headers for one host are not sent to the host it redirects to', async () => {
  let seen: IncomingMessage['headers'] = {};
  const other = await peer((request, response) => {
    seen = request.headers;
    response.end();
  });
  const server = await peer((_, response) => response.writeHead(302, { location: other.url }).end());
  const guarded = outbound({ allow: allow(server, other) });
  await guarded.fetch(server.url, {
    ...LIMITS,
    redirects: 1,
    headers: { authorization: 'Bearer x', 'x-key': 'y' },
  });
  expect(seen.authorization).toBeUndefined();
  expect(seen['x-key']).toBeUndefined();
});

test('a conditional request carries its validators and a 304 is reported as unchanged', async () => {
  const server = await peer((request, response) => {
    const isKnown =
      request.headers['if-none-match'] === '"v1"' && request.headers['if-modified-since'] === 'yesterday';
    response.writeHead(isKnown ? 304 : 200).end();
  });
  const options = { ...LIMITS, etag: '"v1"', lastModified: 'yesterday' };
  const answer = await outbound({ allow: allow(server) }).fetch(server.url, options);
  expect(answer.isNotModified).toBe(true);
  expect(await answer.text()).toBe('');
});

test('a body is capped, announced or not, and an infinite one too', async () => {
  const server = await peer((request, response) => {
    if (request.url === '/announced') response.writeHead(200, { 'content-length': '2000000' }).end();
    else if (request.url === '/silent') {
      response.write(Buffer.alloc(1_000_000));
      response.end('x');
    } else {
      const more = () => {
        while (response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    }
  });
  const guarded = outbound({ allow: allow(server) });
  await expect(guarded.fetch(`${server.url}/announced`, LIMITS)).rejects.toMatchObject({
    reason: 'too_large',
  });
  for (const path of ['/silent', '/infinite']) {
    const answer = await guarded.fetch(server.url + path, LIMITS);
    await expect(answer.bytes()).rejects.toMatchObject({ reason: 'too_large' });
  }
});

test.each([
  ['gzip', gzipSync],
  ['br', (data: Buffer) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ['deflate', deflateSync],
  ['zstd', zstdCompressSync],
])('%s is unpacked, and a decompression bomb is stopped by ratio and by size', async (encoding, pack) => {
  const plain = Buffer.from('line\n'.repeat(1_000));
  const packed = { '/plain': pack(plain), '/bomb': pack(Buffer.alloc(50_000_000)) };
  const server = await peer((request, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(packed[request.url as '/plain' | '/bomb']);
  });
  const guarded = outbound({ allow: allow(server) });
  expect(await (await guarded.fetch(`${server.url}/plain`, LIMITS)).bytes()).toEqual(plain);
  const begun = performance.now();
  for (const limits of [LIMITS, { ...LIMITS, bytesMax: 100_000_000 }]) {
    const length = guarded
      .fetch(`${server.url}/bomb`, limits)
      .then(async (answer) => (await answer.bytes()).length);
    await expect(length).rejects.toMatchObject({ reason: 'too_large' });
  }
  expectWithin(performance.now() - begun, 2_000);
});

test('a body that does not match its encoding or is cut off is an error', async () => {
  const server = await peer((request, response) => {
    if (request.url === '/false') response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip');
    else if (request.url === '/strange')
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end('x');
    else if (request.url === '/cut')
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync('hello '.repeat(1_000)).subarray(0, 20));
    else {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setTimeout(() => response.destroy(), 50);
    }
  });
  const guarded = outbound({ allow: allow(server) });
  await expect(guarded.fetch(`${server.url}/strange`, LIMITS)).rejects.toMatchObject({ reason: 'encoding' });
  for (const path of ['/false', '/cut', '/half'])
    await expect((await guarded.fetch(server.url + path, LIMITS)).bytes()).rejects.toMatchObject({
      name: 'OutboundError',
    });
});

test.each(['constructor', '__proto__', 'zip'])(
  "the unknown encoding '%s' is refused, and the connection is closed at once",
  async (encoding) => {
    let open = 0;
    const server = await peer((_request, response) => {
      open += 1;
      response.on('close', () => {
        open -= 1;
      });
      response.writeHead(200, { 'content-encoding': encoding }).write('and so on');
    });
    const guarded = outbound({ allow: allow(server) });
    await expect(guarded.fetch(server.url, LIMITS)).rejects.toMatchObject({ reason: 'encoding' });
    await eventually('the connection is closed', 1_000, () => open === 0);
  },
);

test('one deadline covers name resolution, headers and body', async () => {
  const server = await peer((request, response) => {
    if (request.url === '/headers') return;
    response.writeHead(200);
    const drip = setInterval(() => response.write('.'), 50);
    response.on('close', () => clearInterval(drip));
  });
  const names = await dns(() => 'SILENT');
  const guarded = outbound({ allow: allow(server), dnsServers: [names.server] });
  const limits = { ...LIMITS, deadlineMs: 400 };
  const timed = async (work: Promise<unknown>) => {
    const begun = performance.now();
    await expect(work).rejects.toMatchObject({ reason: 'deadline' });
    expectWithin(performance.now() - begun, 900);
  };
  await timed(guarded.fetch(`${server.url}/headers`, limits));
  await timed(guarded.fetch(`${server.url}/drip`, limits).then((answer) => answer.bytes()));
  await timed(guarded.fetch('https://blackhole.test/', limits));
  const early = new AbortController();
  setTimeout(() => early.abort(), 50);
  await expect(
    guarded.fetch(`${server.url}/headers`, { ...LIMITS, signal: early.signal }),
  ).rejects.toMatchObject({
    reason: 'aborted',
  });
});

test('headers are capped', async () => {
  const server = await peer((_, response) => response.writeHead(200, { 'x-long': 'a'.repeat(20_000) }).end());
  await expect(outbound({ allow: allow(server) }).fetch(server.url, LIMITS)).rejects.toMatchObject({
    reason: 'too_large',
  });
});

test('callers cannot set the headers that the client sets itself', async () => {
  const guarded = outbound();
  for (const name of ['Host', 'cookie', 'Content-Length', 'Proxy-Authorization', 'Transfer-Encoding'])
    await expect(
      guarded.fetch('https://example.com/', { ...LIMITS, headers: { [name]: 'x' } }),
    ).rejects.toThrow();
});

test('TLS: the certificate is checked against the name while the connection goes to the pinned address', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-tls-'));
  closing.push(() => rmSync(dir, { recursive: true, force: true }));
  const openssl = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = ['-subj', '/CN=good.test', '-addext', 'subjectAltName=DNS:good.test', '-days', '2'];
  execFileSync('openssl', [...openssl, ...names, '-keyout', join(dir, 'key'), '-out', join(dir, 'cert')], {
    stdio: 'ignore',
  });
  const cert = readFileSync(join(dir, 'cert'), 'utf8');
  let serverName: unknown;
  const server = createTlsServer({ cert, key: readFileSync(join(dir, 'key')) }, (request, response) => {
    serverName = (request.socket as { servername?: unknown }).servername;
    response.end(request.headers.host);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const resolver = await dns(onlyV4(['127.0.0.1']));
  const base = { dnsServers: [resolver.server], allow: allow({ port }) };
  const trusting = outbound({ ...base, authorities: [cert] });
  expect(await (await trusting.fetch(`https://good.test:${port}/`, LIMITS)).text()).toBe(`good.test:${port}`);
  expect(serverName).toBe('good.test');
  await expect(trusting.fetch(`https://bad.test:${port}/`, LIMITS)).rejects.toMatchObject({ reason: 'tls' });
  await expect(outbound(base).fetch(`https://good.test:${port}/`, LIMITS)).rejects.toMatchObject({
    reason: 'tls',
  });
});
