import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createShedder, SHED_LIMITS } from '#platform/http/shedding.ts';
import { eventually } from '#test/eventually.ts';
import {
  capturedLog,
  listen,
  PUBLIC,
  plainRoute,
  rawConnection,
  recordedGates,
  testApp,
} from '#test/http-app.ts';
import { webAppRoutes } from './web-routes.ts';

const SCRIPT = `console.log(${JSON.stringify('assay '.repeat(2_000))});`;
const SECRET = 'not a file of the dashboard';
const HTML = `<!doctype html><html><head>
<meta property="csp-nonce" nonce="__CSP_NONCE__">
<script type="application/json" id="assay-config">__ASSAY_CONFIG__</script>
<script type="module" nonce="__CSP_NONCE__" crossorigin src="/app/assets/index-Bx1.js"></script>
<link rel="stylesheet" nonce="__CSP_NONCE__" href="/app/assets/index-Cx2.css">
</head><body>the dashboard</body></html>`;
const FILES: Readonly<Record<string, string>> = {
  'index.html': HTML,
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'site.webmanifest': '{"name":"Assay"}',
  'opensearch.xml': '<Url template="__PUBLIC_WEB_URL__/app/?q={searchTerms}"/>',
  'assets/index-Bx1.js': SCRIPT,
  'assets/index-Cx2.css': 'body{}',
  'assets/world-Dx3.json': '{}',
  'assets/next-latin-wght-normal-Ex4.woff2': 'wOF2'.repeat(1_000),
  'assets/next-latin-ext-wght-normal-Fx5.woff2': 'wOF2',
  '.vite/manifest.json': '{}',
};

const parent = mkdtempSync(join(tmpdir(), 'assay-web-'));
const dir = join(parent, 'dist');
const write = (into: string) => {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(into, name, '..'), { recursive: true });
    writeFileSync(join(into, name), text);
  }
};
const OPTIONS = {
  dir,
  publicApiUrl: 'https://api.example.test/',
  publicWebUrl: 'https://app.example.test',
  page: {
    demo: true,
    version: '1.2.3</script><!--$&',
    outwardLinks: [{ name: 'Ours', kinds: ['ip'], template: 'https://a.example/?q={value}&b=</script>' }],
  },
  clock: systemClock(),
};
const { gates, calls } = recordedGates();
const app = testApp([...webAppRoutes(OPTIONS), plainRoute({ path: '/stats', policy: PUBLIC })], { gates });
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

beforeAll(() => {
  write(dir);
  writeFileSync(join(parent, 'secret.txt'), SECRET);
  symlinkSync(join(parent, 'secret.txt'), join(dir, 'linked.txt'));
  symlinkSync(parent, join(dir, 'linked'));
});
afterAll(async () => {
  await app.close();
  rmSync(parent, { recursive: true, force: true });
});

describe('pages', () => {
  test.each([
    '/app',
    '/app/',
    '/app/index.html',
    '/app/?q=1.2.3.4',
    '/app/ip/1.2.3.4',
    '/app/domain/evil.example.js',
    '/app/domain/b%C3%BCcher.example/',
    `/app/url/${encodeURIComponent('https://evil.example/a/../b.php?x=1&y=%2F#z')}`,
    `/app/url/${'a'.repeat(2_000)}`,
  ])('%s is the page, for any path', async (url) => {
    const reply = await get(url);
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(reply.body).toContain('the dashboard');
    expect(reply.body).not.toContain('__CSP_NONCE__');
  });

  test('every answer has a new nonce, in the policy and on each of its tags, and is not cached', async () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 3; i += 1) {
      const reply = await get('/app/');
      const nonce = /'nonce-([^']+)'/.exec(String(reply.headers['content-security-policy']))?.[1] ?? '';
      expect(nonce).toMatch(/^[\w-]{22}$/);
      expect(reply.body.split(`nonce="${nonce}"`)).toHaveLength(4);
      expect(reply.body).not.toMatch(/__[A-Z_]+__/);
      expect(reply.headers['cache-control']).toBe('no-store');
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  test('the policy allows our own files and the tags of this answer, and nothing inline, foreign or framed', async () => {
    const policy = String((await get('/app/')).headers['content-security-policy']);
    expect(policy.replaceAll(/nonce-[\w-]+/g, 'nonce-x').split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self' 'nonce-x'",
      "style-src 'self' 'nonce-x'",
      "font-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
  });

  test('headers isolate it from other sites', async () => {
    const { headers } = await get('/app/', { origin: 'https://elsewhere.test' });
    expect(headers).toMatchObject({
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('its configuration is read back exactly and cannot end its script element', async () => {
    const { body } = await get('/app/');
    const block = /id="assay-config">(.*?)<\/script>/s.exec(body)?.[1] ?? '';
    expect(block).not.toContain('<');
    expect(JSON.parse(block)).toEqual({
      apiUrl: 'https://api.example.test',
      demo: true,
      version: OPTIONS.page.version,
      outwardLinks: OPTIONS.page.outwardLinks,
    });
  });

  test('the entry script and the text font are preloaded before the page is parsed', async () => {
    expect((await get('/app/')).headers.link).toBe(
      '</app/assets/index-Bx1.js>; rel=modulepreload; as=script, </app/assets/next-latin-wght-normal-Ex4.woff2>; rel=preload; as=font; type="font/woff2"; crossorigin',
    );
  });

  test('HEAD answers the same headers without the page', async () => {
    const full = await get('/app/ip/1.2.3.4');
    const head = await app.inject({ method: 'HEAD', url: '/app/ip/1.2.3.4' });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      full.headers['content-length'],
    ]);
  });
});

describe('files', () => {
  test.each([
    ['assets/index-Bx1.js', 'text/javascript; charset=utf-8'],
    ['assets/index-Cx2.css', 'text/css; charset=utf-8'],
    ['assets/world-Dx3.json', 'application/json; charset=utf-8'],
    ['assets/next-latin-wght-normal-Ex4.woff2', 'font/woff2'],
    ['favicon.svg', 'image/svg+xml; charset=utf-8'],
    ['site.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['opensearch.xml', 'application/opensearchdescription+xml; charset=utf-8'],
  ])('%s is %s', async (name, type) => {
    const reply = await get(`/app/${name}`);
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, type]);
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });

  test('files named by their content are cached for a year; others are revalidated', async () => {
    expect((await get('/app/assets/index-Bx1.js')).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    );
    expect((await get('/app/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  test('each encoding is the same file with its own tag', async () => {
    const ask = (encodings: string) => get('/app/assets/index-Bx1.js', { 'accept-encoding': encodings });
    const plain = await get('/app/assets/index-Bx1.js');
    const br = await ask('gzip, deflate, br, zstd');
    const gz = await ask('gzip, br;q=0');
    expect([plain, br, gz].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'br',
      'gzip',
    ]);
    expect(plain.body).toBe(SCRIPT);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(SCRIPT);
    expect(gunzipSync(gz.rawPayload).toString()).toBe(SCRIPT);
    expect(new Set([plain, br, gz].map(({ headers }) => headers.etag)).size).toBe(3);
    for (const { headers } of [plain, br, gz]) expect(headers.vary).toBe('accept-encoding');
    // Fonts are compressed already, and compressing a few bytes is not worth it.
    const font = await get('/app/assets/next-latin-wght-normal-Ex4.woff2', { 'accept-encoding': 'br' });
    expect(font.headers['content-encoding']).toBeUndefined();
  });

  test('a caller with the current file gets 304, only with the tag of the same encoding', async () => {
    const url = '/app/assets/index-Bx1.js';
    const br = await get(url, { 'accept-encoding': 'br' });
    const etag = String(br.headers.etag);
    const again = await get(url, { 'accept-encoding': 'br', 'if-none-match': etag });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    expect((await get(url, { 'if-none-match': etag })).statusCode).toBe(200);
  });

  test('the search description contains the address of the web host', async () => {
    expect((await get('/app/opensearch.xml')).body).toBe(
      '<Url template="https://app.example.test/app/?q={searchTerms}"/>',
    );
  });

  test('HEAD answers the length of a file', async () => {
    const head = await app.inject({ method: 'HEAD', url: '/app/assets/index-Bx1.js' });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      String(SCRIPT.length),
    ]);
  });

  test.each([
    '/app/assets/index-gone.js',
    '/app/assets/',
    '/app/assets/deep/er/index.html',
    '/app/gone.js',
    '/app/robots.txt',
    '/app/linked.txt',
  ])('%s is not there: 404, never the page', async (url) => {
    const reply = await get(url);
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ error: 'Not Found' });
  });

  test('no spelling of a path leads out of the folder', async () => {
    const port = await listen(app);
    for (const path of [
      '/app/../secret.txt',
      '/app/assets/../../secret.txt',
      '/app/..%2fsecret.txt',
      '/app/%2e%2e/secret.txt',
      '/app/%2e%2e%2fsecret.txt',
      '/app/..%5csecret.txt',
      '/app/assets/%252e%252e/%252e%252e/secret.txt',
      '/app/linked/secret.txt',
      '/app/.vite/manifest.json',
      `/app/${parent}/secret.txt`,
      '/app//etc/passwd',
      '/app/secret.txt%00.js',
    ]) {
      const { socket, until } = await rawConnection(port);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const said = await until(/never/);
      expect(said, path).not.toContain(SECRET);
      expect(said, path).not.toContain('root:');
      // Every answer is the page of the dashboard, which is the same for every path, or an error.
      expect(said, path).toMatch(/^HTTP\/1\.1 (?:400|404)|the dashboard/);
    }
  });
});

describe('beside the interface', () => {
  test('/ leads to the dashboard, and from the host of the API to that of the dashboard', async () => {
    const here = await get('/', { host: 'app.example.test' });
    expect([here.statusCode, here.headers.location, here.headers['cache-control']]).toEqual([
      302,
      '/app/',
      'no-store',
    ]);
    expect((await get('/', { host: 'api.example.test' })).headers.location).toBe(
      'https://app.example.test/app/',
    );
  });

  test('a missing build answers with the command that makes it, and the dashboard is served once it exists', async () => {
    const later = join(parent, 'later');
    const unbuilt = testApp([
      ...webAppRoutes({ ...OPTIONS, dir: later }),
      plainRoute({ path: '/stats', policy: PUBLIC }),
    ]);
    for (const url of ['/app', '/app/ip/1.2.3.4', '/app/assets/index-Bx1.js']) {
      const reply = await unbuilt.inject(url);
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
      expect(reply.body).toContain('npm run build');
    }
    expect((await unbuilt.inject('/stats')).statusCode).toBe(200);
    write(later);
    await eventually(
      'the build is seen',
      5_000,
      async () => (await unbuilt.inject('/app')).statusCode === 200,
    );
    await unbuilt.close();
  });

  test('no meter and no limit is charged for the files of a page', async () => {
    calls.length = 0;
    for (let i = 0; i < 20; i += 1) await get('/app/assets/index-Bx1.js');
    expect(new Set(calls)).toEqual(new Set(['identify']));
  });

  test('a log line names the template, never the indicator in the path', async () => {
    const { log, lines } = capturedLog();
    const logged = testApp(webAppRoutes(OPTIONS), { log });
    await logged.inject('/app/domain/victim-canary.example?q=victim-canary');
    await logged.inject('/app/assets/victim-canary.js');
    await logged.inject('/app/%zz/victim-canary');
    await logged.inject({ method: 'POST', url: '/app/ip/victim-canary' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines.map((line) => /"route":"([^"]*)"/.exec(line)?.[1])).toEqual(
      expect.arrayContaining(['/app/*', '/app/assets/*']),
    );
    expect(lines.join('')).not.toContain('victim-canary');
    await logged.close();
  });

  test('the rules of the transport hold: plain HTTP behind a proxy is refused', async () => {
    const strict = testApp(webAppRoutes(OPTIONS), {
      config: { REQUIRE_HTTPS: true, TRUSTED_PROXIES: ['127.0.0.1/32'] },
    });
    const ask = (proto: string) => strict.inject({ url: '/app/', headers: { 'x-forwarded-proto': proto } });
    expect((await ask('http')).statusCode).toBe(403);
    expect((await ask('https')).statusCode).toBe(200);
    await strict.close();
  });

  test('under load that already refuses reports, the page and its files are still served', async () => {
    const busy = createShedder(SHED_LIMITS, {
      delay: { meanMs: () => SHED_LIMITS.E.delayMs + 1, stop: () => undefined },
      calmInFlight: 0,
    });
    const report = plainRoute({ path: '/report', policy: { ...PUBLIC, class: 'E' } });
    const loaded = testApp([...webAppRoutes(OPTIONS), report], { shedder: busy });
    expect((await loaded.inject('/report')).statusCode).toBe(503);
    for (const url of ['/app', '/app/', '/app/ip/1.2.3.4'])
      expect((await loaded.inject(url)).statusCode).toBe(200);
    expect((await loaded.inject('/app/assets/index-Bx1.js')).body).toBe(SCRIPT);
    await loaded.close();
  });
});
