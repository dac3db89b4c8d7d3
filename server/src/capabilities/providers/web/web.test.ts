import { afterEach, expect, test } from 'vitest';
import { type Domain, parseIndicator } from '#domain/indicator/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { startDnsPeer } from '#test/dns-peer.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';
import { type FrontPage, startWebPeer } from '#test/peers/web-peer.ts';
import { createWebProvider } from './create-web-provider.ts';

const log = createLog('silent');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const domain = (text: string): Domain => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'domain') throw new Error(`${text} is no domain`);
  return parsed.indicator;
};

/** All names lead to one website without TLS; nothing listens on the HTTPS port. */
async function website(pageOf: (host: string, path: string) => FrontPage) {
  const hosts: string[] = [];
  const peer = await startWebPeer((host, path) => {
    hosts.push(`${host}${path}`);
    return pageOf(host, path);
  });
  closing.push(peer.close);
  const names = await startDnsPeer((type) => (type === 'A' ? ['127.0.0.1'] : []));
  closing.push(names.close);
  const closedPort = await startWebPeer(() => ({}));
  await closedPort.close();
  const allow = [`127.0.0.1/32:${peer.port}`, `127.0.0.1/32:${closedPort.port}`];
  const outbound = createOutbound({ log, clock: systemClock(), allow, dnsServers: [names.server] });
  closing.push(outbound.close);
  const provider = createWebProvider({ outbound, ports: { https: closedPort.port, http: peer.port } });
  const visit = async (name = 'www.example.com', deadlineMs = 30_000) => {
    const asked = provider.ask(domain(name), { signal: new AbortController().signal, deadlineMs });
    return (await asked).value;
  };
  return { peer, hosts, provider, visit };
}

test('headers, the generator and loaded files reveal technologies, each once and with its version', async () => {
  const { peer, visit, provider } = await website(() => ({
    headers: { server: 'Apache/2.4.57 (Debian)', 'x-powered-by': 'PHP/8.2.7', via: '1.1 varnish' },
    html: `<html><head><meta name="generator" content="WordPress 6.5.2" />
      <script src="/wp-includes/js/jquery/jquery.min.js"></script>
      <link href='https://cdn.example.net/bootstrap@5.3.3/dist/css/bootstrap.min.css'></head></html>`,
  }));
  const found = await visit();
  expect(found).toEqual([
    { name: 'Apache HTTP Server', version: '2.4.57', category: 'Web server', source: 'header:server' },
    { name: 'Debian', version: null, category: 'Operating system', source: 'header:server' },
    { name: 'PHP', version: '8.2.7', category: 'Language', source: 'header:x-powered-by' },
    { name: 'Varnish', version: null, category: 'Reverse proxy', source: 'header:via' },
    { name: 'WordPress', version: '6.5.2', category: 'CMS', source: 'meta:generator' },
    { name: 'jQuery', version: null, category: 'JavaScript library', source: 'html:link' },
    { name: 'Bootstrap', version: '5.3.3', category: 'JavaScript library', source: 'html:link' },
  ]);
  expect(provider.schema.parse(found)).toEqual(found);
  expect(peer.requests).toEqual(['GET /']);
});

test('a host without any sign has an empty list, not a missing one', async () => {
  const { visit } = await website(() => ({ status: 404, html: '<h1>no</h1>' }));
  expect(await visit()).toEqual([]);
});

test('only a version number is taken from the text of a host', async () => {
  const { visit } = await website(() => ({
    headers: { server: '<script>alert(1)</script>', 'x-powered-by': `PHP/8<b>"${'9'.repeat(200)}` },
    html: '<meta name="generator" content="WordPress 6\u202e\u0007(exe)"><meta name=generator content="Evil 1.0">',
  }));
  expect(await visit()).toEqual([
    { name: 'PHP', version: '8', category: 'Language', source: 'header:x-powered-by' },
    { name: 'WordPress', version: '6', category: 'CMS', source: 'meta:generator' },
  ]);
});

test('a redirect within the site is followed, out of it the visit ends', async () => {
  const { peer, hosts, visit } = await website((host) => {
    if (host === 'example.com')
      return { status: 301, headers: { location: `http://www.example.com:${peer.port}/home` } };
    if (host === 'www.example.com') return { headers: { server: 'nginx/1.27.0' } };
    return { status: 302, headers: { location: 'http://www.example.net/', server: 'Caddy' } };
  });
  expect(await visit('example.com')).toMatchObject([{ name: 'nginx', version: '1.27.0' }]);
  expect(hosts).toEqual(['example.com/', 'www.example.com/home']);
  expect(await visit('other.example.org')).toMatchObject([{ name: 'Caddy' }]);
  expect(hosts.at(-1)).toBe('other.example.org/');
});

test('two customers of one platform are two sites', async () => {
  const { peer, hosts, visit } = await website((host) =>
    host === 'a.github.io'
      ? { status: 302, headers: { location: `http://b.github.io:${peer.port}/` } }
      : { headers: { server: 'nginx' } },
  );
  expect(await visit('a.github.io')).toEqual([]);
  expect(hosts).toEqual(['a.github.io/']);
});

test('the third redirect is not followed', async () => {
  const { hosts, visit } = await website((_host, path) => ({
    status: 302,
    headers: { location: `${path}x`, server: 'Caddy' },
  }));
  expect(await visit()).toMatchObject([{ name: 'Caddy' }]);
  expect(hosts).toHaveLength(3);
});

test('of an endless page the first part is read', async () => {
  const late = '<script src="/_next/static/a.js"></script>';
  const { visit } = await website(() => ({
    headers: { server: 'nginx' },
    html: `<script src="/_nuxt/a.js"></script>${' '.repeat(128 * 1024)}${late}`,
  }));
  expect((await visit())?.map(({ name }) => name)).toEqual(['nginx', 'Nuxt']);
  const endless = await website(() => ({ html: `<p>${'x'.repeat(10_000)}</p>`, isEndless: true }));
  expect(await endless.visit()).toEqual([]);
});

test('a page made to be slow to parse is parsed quickly', async () => {
  const nasty = [
    '<meta '.repeat(20_000),
    'src='.repeat(30_000),
    '<meta name=generator content="'.repeat(4_000),
  ];
  for (const html of nasty) {
    const { visit } = await website(() => ({ html }));
    const begun = performance.now();
    expect(await visit()).toEqual([]);
    if (IS_FULL_SIZE) expect(performance.now() - begun).toBeLessThan(500);
  }
});

test('a host that does not answer is a failure of the target, and one that is not public is refused', async () => {
  const { peer, visit } = await website(() => ({}));
  peer.mode = 'hang';
  await expect(visit('www.example.com', 500)).rejects.toMatchObject({ kind: 'target' });
  const outbound = createOutbound({ log, clock: systemClock() });
  closing.push(outbound.close);
  const parsed = parseIndicator('169.254.169.254');
  if (!parsed.ok || parsed.indicator.kind !== 'ip') throw new Error('no address');
  const asked = createWebProvider({ outbound }).ask(parsed.indicator, {
    signal: new AbortController().signal,
    deadlineMs: 500,
  });
  await expect(asked).rejects.toMatchObject({ kind: 'refused' });
});
