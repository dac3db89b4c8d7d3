import { X509Certificate } from 'node:crypto';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';
import { createUrlCheck } from '#platform/outbound/check-url.ts';
import { createOutboundStreams } from '#platform/outbound/streams.ts';
import { createOutbound, type FetchOptions, type OutboundOptions } from '#platform/outbound.ts';
import { startDnsPeer } from '#test/dns-peer.ts';
import { startHttpPeer } from '#test/http-peer.ts';
import { startConnectProxy } from '#test/peers/connect-proxy.ts';
import { type Authority, makeAuthority } from '#test/peers/tls-peer.ts';

const log = createLog('silent');
const clock = systemClock();
const LIMITS: FetchOptions = { deadlineMs: 60_000, bytesMax: 1_000_000, schemes: ['http', 'https'] };
/** Public addresses that lead nowhere from here. */
const [SHOP, SHOP_6, OTHER] = ['198.20.0.80', '2a00:1450::80', '198.20.1.1'];

let authority: Authority;
beforeAll(() => {
  authority = makeAuthority();
});
afterAll(() => authority.close());
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
const closed = <T extends { readonly close: () => unknown }>(started: T): T => {
  closing.push(started.close);
  return started;
};

const names = async (v4: readonly string[], v6: readonly string[] = []) =>
  closed(await startDnsPeer((type) => (type === 'A' ? v4 : v6))).server;
const outbound = (options: Partial<OutboundOptions>) => closed(createOutbound({ log, clock, ...options }));
/** An https server for shop.test, and its certificate. */
async function shop() {
  const { key, cert } = authority.issue({ subject: '/CN=shop', names: ['DNS:shop.test'] });
  const server = createTlsServer({ key, cert }, (request, response) => response.end(`hello ${request.url}`));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, cert };
}

describe('OUTBOUND_DENY', () => {
  test.each([
    ['an address in the URL', `http://${SHOP}/`, [SHOP], []],
    ['another spelling of it', 'http://3323199568/', [SHOP], []],
    ['a name that leads there', 'http://shop.test/', [SHOP], []],
    ['a name of which one address leads there', 'http://shop.test/', [OTHER, SHOP], []],
    ['a name that leads there over IPv6', 'http://shop.test/', [OTHER], [SHOP_6]],
    ['an IPv6 address in the URL', `http://[${SHOP_6}]/`, [], []],
  ])('refuses %s, and connects to nothing', async (_what, url, v4, v6) => {
    const proxy = closed(await startConnectProxy(() => null));
    const rules = { deny: [`${SHOP}/24`.replace('.80/', '.0/'), '2a00:1450::/32'], proxy: proxy.url() };
    const dnsServers = [await names(v4, v6)];
    await expect(outbound({ ...rules, dnsServers }).fetch(url, LIMITS)).rejects.toMatchObject({
      reason: 'address',
    });
    const check = createUrlCheck({ clock, ...rules, dnsServers });
    await expect(
      check(url.replace('http:', 'https:'), { ports: [443], deadlineMs: 60_000 }),
    ).rejects.toMatchObject({ reason: 'address' });
    expect(proxy.asked).toEqual([]);
  });

  test('refuses a redirect into the range, and wins over an allowance', async () => {
    const server = closed(
      await startHttpPeer((_, response) => response.writeHead(302, { location: `http://${SHOP}/` }).end()),
    );
    const allow = [`127.0.0.1/32:${server.port}`];
    const guarded = outbound({ allow, deny: ['198.20.0.0/24'] });
    const redirected = guarded.fetch(server.url, { ...LIMITS, redirects: 3 });
    await expect(redirected).rejects.toMatchObject({ reason: 'address' });
    const denied = outbound({ allow, deny: ['127.0.0.0/8'] });
    await expect(denied.fetch(server.url, LIMITS)).rejects.toMatchObject({ reason: 'address' });
    expect(server.requests).toHaveLength(1);
  });

  test('is refused at the start where it is no list of CIDRs', () => {
    for (const text of ['198.51.100.0', '198.51.100.0/33', 'fd00::/129', 'a/8', '10.0.0.0/8;11.0.0.0/8'])
      expect(() => loadConfig({ OUTBOUND_DENY: text }), text).toThrow(/OUTBOUND_DENY/);
    expect(loadConfig({ OUTBOUND_DENY: ' 198.51.100.0/24,2001:db8::/32 ' }).OUTBOUND_DENY).toEqual([
      '198.51.100.0/24',
      '2001:db8::/32',
    ]);
  });
});

describe('OUTBOUND_PROXY', () => {
  test('http and https requests go through the proxy, which is asked for the address that was checked', async () => {
    const plain = closed(
      await startHttpPeer((request, response) => response.end(`plain ${request.headers.host}`)),
    );
    const { port } = await shop();
    const proxy = closed(await startConnectProxy((target) => (target.endsWith(':80') ? plain.port : port)));
    const through = outbound({
      proxy: proxy.url(),
      dnsServers: [await names([SHOP])],
      authorities: [authority.pem],
    });
    expect(await (await through.fetch('http://shop.test/', LIMITS)).text()).toBe('plain shop.test');
    expect(await (await through.fetch('https://shop.test/a', LIMITS)).text()).toBe('hello /a');
    expect(proxy.asked).toEqual([`${SHOP}:80`, `${SHOP}:443`]);
    // The certificate is checked against the name, and the proxy is trusted with nothing.
    await expect(through.fetch('https://other.test/', LIMITS)).rejects.toMatchObject({ reason: 'tls' });
  });

  test('special addresses are refused before the proxy is asked', async () => {
    const proxy = closed(await startConnectProxy(() => null));
    const through = outbound({ proxy: proxy.url(), dnsServers: [await names(['10.0.0.1'])] });
    for (const url of [
      'http://127.0.0.1/',
      'http://169.254.169.254/',
      'http://inside.test/',
      'http://[::1]/',
    ])
      await expect(through.fetch(url, LIMITS)).rejects.toMatchObject({ reason: 'address' });
    expect(proxy.asked).toEqual([]);
  });

  test('addresses that the operator allowed are reached directly', async () => {
    const server = closed(await startHttpPeer((_, response) => response.end('own')));
    const proxy = closed(await startConnectProxy(() => null));
    const through = outbound({ proxy: proxy.url(), allow: [`127.0.0.1/32:${server.port}`] });
    expect(await (await through.fetch(server.url, LIMITS)).text()).toBe('own');
    expect(proxy.asked).toEqual([]);
  });

  test('credentials are sent to the proxy alone; a refusal, a silent and a missing proxy fail the request', async () => {
    const seen: (string | undefined)[] = [];
    const plain = closed(
      await startHttpPeer((request, response) => {
        seen.push(request.headers['proxy-authorization']);
        response.end('in');
      }),
    );
    const proxy = closed(await startConnectProxy(() => plain.port, { password: 'p$w' }));
    const dnsServers = [await names([SHOP])];
    const ask = (url: string) => outbound({ proxy: url, dnsServers }).fetch('http://shop.test/', LIMITS);
    expect(await (await ask(proxy.url('user:p%24w'))).text()).toBe('in');
    expect(seen).toEqual([undefined]);
    await expect(ask(proxy.url('user:wrong'))).rejects.toMatchObject({
      reason: 'proxy',
      message: 'The egress proxy refused the connection with 407.',
    });
    const refusing = closed(await startConnectProxy(() => null));
    await expect(ask(refusing.url())).rejects.toMatchObject({ reason: 'proxy' });
    await expect(ask('http://127.0.0.1:1')).rejects.toMatchObject({ reason: 'proxy' });
    const odd = closed(await startHttpPeer((_, response) => response.end()));
    const deadline = outbound({ proxy: odd.url, dnsServers }).fetch('http://shop.test/', LIMITS);
    await expect(deadline).rejects.toMatchObject({ reason: 'proxy' });
  });

  test('certificates of hosts are read through the proxy, under the address that was checked', async () => {
    const { port, cert } = await shop();
    const proxy = closed(await startConnectProxy(() => port));
    const streams = closed(
      createOutboundStreams({
        log,
        clock,
        proxy: proxy.url(),
        dnsServers: [await names([SHOP])],
        authorities: [authority.pem],
      }),
    );
    const shown = await streams.handshake({
      host: 'shop.test',
      port: 443,
      deadlineMs: 60_000,
      bytesMax: 100_000,
    });
    expect(shown).toMatchObject({ address: SHOP, isTrusted: true, problem: null });
    expect(new X509Certificate(shown.leaf).fingerprint256).toBe(new X509Certificate(cert).fingerprint256);
    expect(proxy.asked).toEqual([`${SHOP}:443`]);
  });

  test('is refused at the start where it is no http URL of a host', () => {
    for (const text of [
      'proxy:4750',
      'https://proxy:4750',
      'socks5://proxy:1080',
      'http://proxy/path',
      'http://',
    ])
      expect(() => loadConfig({ OUTBOUND_PROXY: text }), text).toThrow(/OUTBOUND_PROXY/);
    expect(loadConfig({ OUTBOUND_PROXY: 'http://u:p@proxy:4750' }).OUTBOUND_PROXY).toBe(
      'http://u:p@proxy:4750',
    );
  });
});
