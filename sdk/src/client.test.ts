import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { json, type Loopback, startLoopback } from '../test/loopback.ts';
import { type Assay, type AssayOptions, createAssay, createPageAssay } from './client.ts';
import { AssayError, InvalidRequest, type NotFound, Unauthorized } from './errors.ts';
import type { Seen } from './exchange.ts';

const KEY = { apiKey: 'ak_0123456789', apiSecret: 'sk_abcdefghijklmnopqrstuvwxyz' };
const HEADER = btoa(`${KEY.apiKey}:${KEY.apiSecret}`);
const VERDICT = { malicious: false, apiVersion: 'v2', enrichmentLevel: 'standard' };

let peer: Loopback;
afterEach(() => peer?.close());

async function open(answer: Parameters<typeof startLoopback>[0], options: Partial<AssayOptions> = {}) {
  peer = await startLoopback(answer);
  return createAssay({ baseUrl: peer.url, key: KEY, retries: 0, ...options });
}
const answering = (options: Partial<AssayOptions> = {}): Promise<Assay> =>
  open((response) => json(response, 200, VERDICT), options);

describe('requests', () => {
  test('the key is in the header and nowhere else', async () => {
    const assay = await answering();
    expect(await assay.check('example.com', { enrichment: 'full' })).toEqual(VERDICT);
    const [sent] = peer.received;
    expect(sent?.headers['x-api-key']).toBe(HEADER);
    expect(sent?.url).toBe('/check?query=example.com&enrichment=full');
    expect(sent?.headers).not.toHaveProperty('authorization');
  });

  test('the header made of the pair is taken as well', async () => {
    const assay = await answering({ key: HEADER });
    await assay.check('example.com');
    expect(peer.received[0]?.headers['x-api-key']).toBe(HEADER);
  });

  test('without a key no credential header is sent', async () => {
    const assay = await answering({ key: undefined });
    await assay.call('getStats');
    expect(peer.received[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('a value stays one parameter, whatever characters it contains', async () => {
    const assay = await answering();
    await assay.check('http://a.example/?a=1&query=b#c');
    expect(new URL(peer.received[0]?.url ?? '', peer.url).searchParams.getAll('query')).toEqual([
      'http://a.example/?a=1&query=b#c',
    ]);
    await assay.reports.get('../user/keys').catch(() => undefined);
    expect(peer.received[1]?.url).toBe('/reports/..%2Fuser%2Fkeys');
  });

  test('an id that would address another route is refused', async () => {
    const assay = await answering();
    for (const id of ['', '.', '..']) await expect(assay.reports.get(id)).rejects.toThrow(TypeError);
    expect(peer.received).toHaveLength(0);
  });

  test('an empty query is refused before a request', async () => {
    const assay = await answering();
    await expect(assay.check('  ')).rejects.toThrow('nothing to check');
    expect(() => assay.checkStream('')).toThrow('nothing to check');
    expect(peer.received).toHaveLength(0);
  });

  test('an answer about no target is an error with the message of the service, never a verdict', async () => {
    const message = "No target: 'domian' is not a parameter. Use query, ip, domain or hash.";
    const assay = await open((response) => json(response, 200, { ...VERDICT, target: null, message }));
    const query = { domian: 'evil.example' } as Record<string, string>;
    const error = await assay.call('getCheck', { query }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequest);
    expect(error).toMatchObject({ message, status: 200, body: { target: null } });
  });

  test('a base URL may have a path, and trailing slashes make no difference', async () => {
    peer = await startLoopback((response) => json(response, 200, VERDICT));
    await createAssay({ baseUrl: `${peer.url}/assay//` }).check('a.example');
    expect(peer.received[0]?.url).toBe('/assay/check?query=a.example');
  });

  test('types reject wrong and missing parameters', async () => {
    const assay = await answering();
    // @ts-expect-error there is no such level
    await assay.check('a.example', { enrichment: 'everything' });
    // @ts-expect-error query is required
    await assay.call('getCheckWhois');
    // @ts-expect-error a stream is no call
    await assay.call('getCheckStream', { query: { query: 'a.example' } }).catch(() => undefined);
    expect(peer.received).toHaveLength(3);
  });
});

describe('a session of the dashboard', () => {
  test('every call goes below /api with the cookie of the page, and without a key', async () => {
    const seen: RequestInit[] = [];
    const assay = await answering({
      key: undefined,
      session: true,
      fetch: (url, init) => {
        seen.push(init);
        return fetch(url, init);
      },
    });
    await assay.check('a.example');
    await assay.call('getApiCheckPhone', { query: { phone: '+4930123456' } });
    await assay.search('paypal');
    expect(peer.received.map(({ url }) => url.split('?')[0])).toEqual([
      '/api/check',
      '/api/check/phone',
      '/api/search',
    ]);
    expect(seen.map(({ credentials }) => credentials)).toEqual(['include', 'include', 'include']);
  });

  test('the small client of a page is a session too: below /api, with the cookie, without a key', async () => {
    await answering({});
    const seen: RequestInit[] = [];
    const assay = createPageAssay({
      baseUrl: peer.url,
      retries: 0,
      fetch: (url, init) => {
        seen.push(init);
        return fetch(url, init);
      },
    });
    await assay.call('getCheck', { query: { query: 'a.example' } });
    expect(await assay.call('getStats')).toEqual(VERDICT);
    expect(() => assay.checkStream(' ')).toThrow('nothing to check');
    expect(peer.received.map(({ url }) => url.split('?')[0])).toEqual(['/api/check', '/api/stats']);
    expect(peer.received.some(({ headers }) => 'x-api-key' in headers)).toBe(false);
    expect(seen.map(({ credentials }) => credentials)).toEqual(['include', 'include']);
  });

  test('a route that the web host answers differently is refused in a session', async () => {
    const assay = await answering({ key: undefined, session: true });
    await expect(assay.call('getCheckEmail', { query: { email: 'a@b.example' } })).rejects.toThrow(
      'not served to a session',
    );
  });

  test('a key beside a session is refused', () => {
    expect(() => createAssay({ baseUrl: 'https://a.example', key: KEY, session: true })).toThrow('not both');
  });

  test('with a key, only routes of the web host alone go to it', async () => {
    const web = await startLoopback((response) => json(response, 200, {}));
    const assay = await answering({ webUrl: web.url });
    await assay.call('postApiAnalyze', { body: { input: 'a.example' } });
    await assay.search('paypal');
    expect(web.received.map(({ url }) => url)).toEqual(['/api/analyze']);
    expect(peer.received.map(({ url }) => url)).toEqual(['/search?keywords=paypal']);
    await web.close();
  });
});

describe('the credential does not leak', () => {
  const secrets = [KEY.apiKey, KEY.apiSecret, HEADER];
  const expectClean = (value: unknown) => {
    const text = inspect(value, { depth: 10, showHidden: true }) + JSON.stringify(value);
    for (const secret of secrets) expect(text).not.toContain(secret);
  };

  test('not in errors, their causes or the client itself', async () => {
    const refused = await open((response) =>
      json(response, 401, { error: 'Unauthorized', message: 'Invalid API key', requestId: 'req_9' }),
    );
    const error = await refused.check('a.example').catch((e: unknown) => e);
    expect(error).toBeInstanceOf(Unauthorized);
    expect(error).toMatchObject({ status: 401, message: 'Invalid API key', requestId: 'req_9' });
    expectClean(error);
    expectClean(refused);
    await peer.close();
    expectClean(await refused.check('a.example').catch((e: unknown) => e));
    peer = await startLoopback(() => undefined);
  });

  test('not in the message about a wrong credential', () => {
    const broken = [
      { ...KEY, apiSecret: `${KEY.apiSecret}:` },
      { ...KEY, apiKey: `${KEY.apiKey} ` },
      `${HEADER}\n`,
      `Basic ${HEADER}`,
    ];
    for (const key of broken) {
      try {
        createAssay({ baseUrl: 'https://a.example', key });
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        expectClean(error);
      }
    }
  });

  test('not in a URL: one with credentials in it is refused unquoted', () => {
    const baseUrl = `https://${KEY.apiKey}:${KEY.apiSecret}@a.example`;
    try {
      createAssay({ baseUrl });
      expect.unreachable();
    } catch (error) {
      expectClean(error);
    }
    for (const bad of ['a.example', 'ftp://a.example', 'https://a.example?x=1', 'https://a.example#x'])
      expect(() => createAssay({ baseUrl: bad }), bad).toThrow(TypeError);
  });

  test('not to the target of a redirect', async () => {
    const elsewhere = await startLoopback((response) => json(response, 200, VERDICT));
    const assay = await open((response) =>
      response.writeHead(307, { Location: `${elsewhere.url}/check` }).end(),
    );
    const error = await assay.check('a.example').catch((e: unknown) => e);
    expect(error).toMatchObject({ status: 307, error: 'Redirected' });
    expect(elsewhere.received).toHaveLength(0);
    await elsewhere.close();
  });

  test('a licence key of the wrong form is not quoted by the platform', async () => {
    const assay = await answering();
    const headers = { 'X-License-Key': `${KEY.apiSecret}\n` };
    const error = await assay.call('postSources', { headers }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(TypeError);
    expectClean(error);
  });

  test('a key in a page is refused unless the page says that it may', () => {
    Object.defineProperty(globalThis, 'document', { value: {}, configurable: true });
    try {
      const options = { baseUrl: 'https://a.example', key: KEY };
      expect(() => createAssay(options)).toThrow('must not be shipped to browsers');
      expect(createAssay({ ...options, allowKeyInBrowser: true })).toBeDefined();
      expect(createAssay({ baseUrl: 'https://a.example', session: true })).toBeDefined();
    } finally {
      Reflect.deleteProperty(globalThis, 'document');
    }
  });
});

describe('answers', () => {
  test('a failure has its class, its words and its request', async () => {
    const assay = await open((response) =>
      json(
        response,
        404,
        { error: 'Not Found', message: "Report 'x' was not found." },
        { 'X-Request-Id': 'r' },
      ),
    );
    const error = (await assay.reports.get('x').catch((e: unknown) => e)) as NotFound;
    expect(error.name).toBe('NotFound');
    expect(error.requestId).toBe('r');
    expect(error.message).toBe("Report 'x' was not found.");
  });

  test('a deletion resolves to undefined', async () => {
    const assay = await open((response) => response.writeHead(204).end());
    expect(await assay.reports.remove('rpt_1')).toBeUndefined();
  });

  test('a page that is not JSON is an error, not a verdict', async () => {
    for (const [type, body] of [
      ['text/html', '<html>'],
      ['application/json', '{"malicious":fal'],
    ] as const) {
      const assay = await open((response) => response.writeHead(200, { 'Content-Type': type }).end(body));
      const error = await assay.check('a.example').catch((e: unknown) => e);
      expect(error).toBeInstanceOf(AssayError);
      expect(error).toMatchObject({ status: 200, error: 'Unreadable Answer' });
      await peer.close();
    }
  });

  test('CSV is returned as text', async () => {
    const assay = await open((response) =>
      response.writeHead(200, { 'Content-Type': 'text/csv' }).end('a,b\r\n'),
    );
    const body = { entities: ['a.example'], format: 'csv' } as const;
    expect(await assay.text('postBulkCheck', { body })).toBe('a,b\r\n');
    await expect(assay.call('postBulkCheck', { body })).rejects.toThrow('Use text()');
    expect(await assay.call('getReportsExport')).toBe('a,b\r\n');
  });

  test('a file is returned as the bytes that it has', async () => {
    const file = Buffer.from([0, 0xab, 0xff, 0x80, 13, 10]);
    const assay = await open((response) =>
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(file),
    );
    expect(Buffer.from(await assay.call('getMmdbDownload'))).toEqual(file);
  });

  test('onResponse sees every answer, without the queried value', async () => {
    const seen: Seen[] = [];
    const assay = await open(
      (response) =>
        json(response, 200, VERDICT, {
          'X-Request-Id': 'r1',
          'X-Monthly-Usage': '1',
          'X-Monthly-Limit': '2',
        }),
      { onResponse: (one) => seen.push(one) },
    );
    await assay.check('private.example');
    expect(seen).toMatchObject([
      {
        operation: 'getCheck',
        path: '/check',
        status: 200,
        requestId: 'r1',
        attempt: 0,
        limits: { monthly: { usage: 1, limit: 2, percentage: 50 } },
      },
    ]);
    expect(JSON.stringify(seen)).not.toContain('private.example');
  });
});
