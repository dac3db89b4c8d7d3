import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSession } from '../../server/src/capabilities/access/index.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { loadConfig } from '../../server/src/platform/config.ts';
import { cookieWith } from '../../server/test/support/access.ts';
import { type SharedService, sharedService } from '../../server/test/support/shared-service.ts';
import {
  type Assay,
  type AssayOptions,
  type CheckPhase,
  createAssay,
  InvalidRequest,
  NotFound,
  RateLimited,
  type Seen,
  Unauthorized,
} from '../src/index.ts';

const BURST_WAIT_MAX_MS = 70_000;

let running: SharedService;
let seen: Seen[];
let assay: Assay;
const open = (options: Partial<AssayOptions> = {}): Assay =>
  createAssay({ baseUrl: running.service.url, key: running.account.credential, ...options });

beforeAll(async () => {
  running = await sharedService('sdk-service');
}, 600_000);
afterAll(() => running?.stop());
/** Opens a client without a key, from an address that no other test file calls from. */
const openAnonymous = (options: Partial<AssayOptions> = {}): Assay =>
  open({
    ...options,
    key: undefined,
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...(init.headers as object), ...running.fromHere } }),
  });
const newAssay = async (email: string, plan: 'FREE' | 'PRO' | 'ENTERPRISE', limits?: object) => {
  const account = await running.accounts.newAccount(email, { plan, ...(limits !== undefined && { limits }) });
  seen = [];
  return open({ key: account.credential, onResponse: (one) => seen.push(one) });
};
async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of stream) all.push(one);
  return all;
}

function cutOnce(): NonNullable<AssayOptions['fetch']> {
  let calls = 0;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      const text = new TextDecoder().decode(chunk);
      const end = text.indexOf('\n\n', text.indexOf('data: '));
      controller.enqueue(new TextEncoder().encode(end === -1 ? text : text.slice(0, end + 2)));
      if (text.includes('data: ') && end !== -1) controller.error(new TypeError('The connection was cut.'));
    },
  });
  return async (url, init) => {
    const response = await fetch(url, init);
    calls += 1;
    return calls > 1 || response.body === null
      ? response
      : new Response(response.body.pipeThrough(cut), response);
  };
}

describe('a check', () => {
  test('answers in the described types, with the remaining quota', async () => {
    assay = await newAssay('check@example.com', 'PRO');
    const result = await assay.check('hxxp://never-seen[.]net/a', { enrichment: 'standard' });
    expect(result).toMatchObject({
      query: 'http://never-seen.net/a',
      malicious: false,
      enrichmentLevel: 'standard',
    });
    expect(result.evidence?.verdict).toBe('unknown');
    expect(seen).toMatchObject([
      {
        operation: 'getCheck',
        status: 200,
        requestId: expect.stringMatching(/^req_/),
        limits: {
          rate: { limit: 60, plan: 'PRO', type: 'burst' },
          monthly: { usage: 1, limit: 10_000 },
        },
      },
    ]);
  });

  test('an unreadable query is InvalidRequest, with the field', async () => {
    const error = await open()
      .check('not an indicator at all')
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(InvalidRequest);
    expect((error as InvalidRequest).requestId).toMatch(/^req_/);
    expect((error as InvalidRequest).details[0]?.path).toBe('query');
  });

  test('a wrong key, and none, are Unauthorized', async () => {
    const wrong = open({ key: { apiKey: 'ak_nobody', apiSecret: 'sk_nothing' } });
    await expect(wrong.check('example.com')).rejects.toMatchObject({
      name: 'Unauthorized',
      message: 'Invalid API key',
    });
    await expect(open({ key: undefined }).check('example.com')).rejects.toBeInstanceOf(Unauthorized);
  });

  test('a pair is the same as its header', async () => {
    const [apiKey = '', apiSecret = ''] = atob(running.account.credential).split(':');
    expect((await open({ key: { apiKey, apiSecret } }).check('example.com')).apiVersion).toBe('v2');
  });
});

describe('a check stream', () => {
  test('gives typed phases in order, with a key and without', async () => {
    for (const client of [open(), openAnonymous()]) {
      const events = await collect(client.checkStream('185.220.101.1'));
      expect(events.map(({ type }) => type)).toEqual([
        'reputation',
        'basic',
        'insights',
        'enrichment',
        'done',
      ]);
      const first = events[0] as Extract<CheckPhase, { type: 'reputation' }>;
      expect(first.data).toMatchObject({ query: '185.220.101.1', type: 'ip', malicious: false });
    }
  });

  test('goes on by itself after a cut, and is charged once', async () => {
    const account = await running.accounts.newAccount('cut@example.com', { plan: 'PRO' });
    const usage: (number | undefined)[] = [];
    const client = open({
      key: account.credential,
      fetch: cutOnce(),
      onResponse: ({ limits }) => usage.push(limits.monthly?.usage),
    });
    const events = await collect(client.checkStream('185.220.101.1', { resume: true }));
    expect(events.map(({ type }) => type)).toEqual(['reputation', 'basic', 'insights', 'enrichment', 'done']);
    expect(usage).toEqual([1, 1]);
  });

  test('a target that cannot be read is refused before the first event', async () => {
    await expect(collect(open().checkStream('not an indicator'))).rejects.toBeInstanceOf(InvalidRequest);
  });
});

describe('many at once', () => {
  test('are sent within the cap of the plan, charged once each, and come back in order', async () => {
    assay = await newAssay('bulk@example.com', 'FREE');
    const names = Array.from({ length: 23 }, (_, index) => `host-${index}.example.com`);
    const costs: number[] = [];
    const rows = await collect(
      assay.bulk([...names, ' HOST-1.example.com'], { onBatch: ({ processed }) => costs.push(processed) }),
    );
    expect(rows.map(({ entity }) => entity)).toEqual(names);
    expect(costs).toEqual([10, 10, 3]);
    expect(seen.at(-1)?.limits.monthly?.usage).toBe(23);
  });

  test('as CSV', async () => {
    const body = { entities: ['example.com'], format: 'csv' } as const;
    expect(await open().text('postBulkCheck', { body })).toMatch(/^entity,.*\r\nexample\.com,/);
  });
});

describe('reports', () => {
  test('are saved once, found page after page, read and removed', async () => {
    assay = await newAssay('reports@example.com', 'ENTERPRISE');
    const result = await assay.check('example.com');
    const options = { idempotencyKey: 'same-1' };
    const saved = await assay.reports.save({ result, tags: ['a'] }, options);
    expect((await assay.reports.save({ result, tags: ['a'] }, options)).id).toBe(saved.id);
    const others = [];
    for (const tag of ['b', 'c', 'd', 'e']) others.push(await assay.reports.save({ result, tags: [tag] }));
    const all = await collect(assay.reports.all({ pageSize: 2 }));
    expect(all.map(({ id }) => id)).toEqual([...others.map(({ id }) => id).reverse(), saved.id]);
    expect((await assay.reports.get(saved.id)).result).toEqual(result);
    expect(await collect(assay.reports.all({ search: 'nowhere' }))).toEqual([]);
    await assay.reports.remove(saved.id);
    await expect(assay.reports.get(saved.id)).rejects.toBeInstanceOf(NotFound);
    expect(await assay.call('getReportsExport', { query: { format: 'csv' } })).toContain('example.com');
  });
});

describe('used-up limits', () => {
  test('a month is thrown with its end, at once', async () => {
    assay = await newAssay('limits@example.com', 'PRO', { burstPerMinute: 60, checksPerMonth: 3 });
    for (let i = 0; i < 3; i += 1) await assay.check('example.com');
    const error = await assay.check('example.com').catch((e: unknown) => e);
    expect(error).toBeInstanceOf(RateLimited);
    expect(error).toMatchObject({
      usedUp: 'month',
      plan: 'PRO',
      usage: { current: 3, limit: 3 },
      upgradeRequired: true,
    });
    expect((error as RateLimited).resetsAtMs).toBeGreaterThan(Date.now());
    // The month ends days later, so the client neither waits nor repeats.
    expect(seen.filter(({ status }) => status === 429)).toHaveLength(1);
  });

  test('the burst is distinguished from the month, with its wait', async () => {
    assay = await newAssay('burst@example.com', 'PRO', { burstPerMinute: 20, checksPerMonth: 1_000 });
    const error = await (async () => {
      for (let i = 0; i < 25; i += 1) await assay.check('example.com', { retries: 0 });
    })().catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'RateLimited', usedUp: 'burst', usage: null });
    // The window slides by twelfths of a minute, so the wait may be a little longer than one minute.
    expect((error as RateLimited).retryAfterMs).toBeGreaterThan(0);
    expect((error as RateLimited).retryAfterMs).toBeLessThanOrEqual(BURST_WAIT_MAX_MS);
  });

  test('without a key the address has its own allowance', async () => {
    const stranger = openAnonymous({ retries: 0 });
    const error = await (async () => {
      for (let i = 0; i < 12; i += 1) await collect(stranger.checkStream('example.com'));
    })().catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'RateLimited', usedUp: 'anonymous', plan: 'ANONYMOUS' });
  });
});

describe('the session of a dashboard page', () => {
  test('reads and writes with the cookie and the headers that a browser sets', async () => {
    const { accountId } = running.account;
    const who = { accountId, userId: accountId, ip: '127.0.0.1', userAgent: 'test' };
    const { token } = await createSession({ postgres: running.accounts.system, clock: systemClock() }, who);
    const origin = new URL(running.service.env.PUBLIC_WEB_URL ?? 'http://127.0.0.1:8080').origin;
    const asBrowser = (headers: Record<string, string>): AssayOptions['fetch'] => {
      return (url, init) => fetch(url, { ...init, headers: { ...(init.headers as object), ...headers } });
    };
    const page = {
      cookie: cookieWith(loadConfig(running.service.env), token),
      origin,
      'sec-fetch-site': 'same-origin',
    };
    const dashboard = open({ key: undefined, session: true, fetch: asBrowser(page) });
    expect((await dashboard.check('example.com')).apiVersion).toBe('v2');
    const made = await dashboard.call('postUserKeys', { body: { label: 'from the page' } });
    const listed = await dashboard.call('getUserKeys');
    expect(JSON.stringify(listed)).toContain('from the page');
    expect(made).toHaveProperty('apiSecret');
    const forged = { ...page, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const elsewhere = open({ key: undefined, session: true, fetch: asBrowser(forged) });
    await expect(elsewhere.call('postUserKeys', { body: { label: 'x' } })).rejects.toMatchObject({
      status: expect.toSatisfy((status: number) => status === 401 || status === 403),
    });
  });
});

test('the example runs as the README says', async () => {
  const { credential } = await running.accounts.newAccount('example@example.com', { plan: 'PRO' });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../examples/check.ts'), 'example.com', '185.220.101.1'],
    { env: { PATH: process.env.PATH, ASSAY_URL: running.service.url, ASSAY_KEY: credential } },
  );
  expect(stdout.trimEnd().split('\n')).toEqual([
    'example.com: 0 lists',
    'safe, 0 of 100',
    'example.com: safe',
    '185.220.101.1: unknown',
  ]);
});
