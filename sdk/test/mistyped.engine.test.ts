import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminRun } from '../../server/test/support/run-admin.ts';
import type { ServiceAccount } from '../../server/test/support/service-accounts.ts';
import { type SharedService, sharedService } from '../../server/test/support/shared-service.ts';
import { type Assay, createAssay, InvalidRequest, verdictOf, verdictOfRow } from '../src/index.ts';

/** A value that lists of the shared corpus accuse. Nothing below may call it, or nothing, harmless. */
const LISTED = 'evil.com';
/** How an answer could say that there is nothing wrong with a value. */
const HARMLESS =
  /not malicious|not listed|known good|nothing to do|"malicious":\s*false|"verdict":\s*"safe"/i;

let running: SharedService;
let account: ServiceAccount;
let assay: Assay;
beforeAll(async () => {
  running = await sharedService('mistyped');
  const limits = { burstPerMinute: 1_000 };
  account = await running.accounts.newAccount('caller@example.com', { plan: 'PRO', limits });
  assay = createAssay({ baseUrl: running.service.url, key: account.credential, retries: 0 });
}, 600_000);
afterAll(() => running?.stop());

const get = async (path: string) => {
  const answer = await fetch(`${running.service.url}${path}`, {
    headers: { 'X-API-KEY': account.credential, ...running.fromHere },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

test('the value is listed, so that "not malicious" would be wrong', async () => {
  expect(verdictOf(await assay.check(LISTED)).tone).not.toBe('unknown');
});

/** What a caller may write in place of `query=evil.com`. */
const MISTYPED = [
  `q=${LISTED}`,
  `Query=${LISTED}`,
  `querry=${LISTED}`,
  `domian=${LISTED}`,
  `url=${LISTED}`,
  `indicator=${LISTED}`,
  `value=${LISTED}&enrichment=basic`,
  'query=',
  'query=%20',
  'query',
  `query=${LISTED}&query=example.org`,
  `query[]=${LISTED}`,
  `query=${LISTED},example.org`,
  `query=${LISTED}%20example.org`,
  'query=AS15169',
  'query=CVE-2021-44228',
  'query=8.8.8.0/24',
  'query=%2B14155552671',
  `query=${LISTED}&enrichment=fulll`,
];

describe('a mistyped request for one value', () => {
  test.each(MISTYPED)('/check/plain?%s is an error, without a verdict', async (query) => {
    const { status, text } = await get(`/check/plain?${query}`);
    // A misspelt option beside a readable target is ignored by routes that do not have it.
    if (query.endsWith('fulll')) return expect(text).toContain(LISTED);
    expect([status, HARMLESS.test(text)]).toEqual([400, false]);
  });

  test.each(MISTYPED)('/check?%s is refused, or says that nothing was judged', async (query) => {
    const { status, headers, text } = await get(`/check?${query}`);
    if (status === 400) return expect(HARMLESS.test(text)).toBe(false);
    expect([status, headers.get('x-assay-target'), JSON.parse(text).target]).toEqual([
      200,
      'unreadable',
      null,
    ]);
  });

  test('two different targets are refused, whichever names are used', async () => {
    for (const query of [
      `ip=1.2.3.4&domain=${LISTED}`,
      `query=example.org&domain=${LISTED}`,
      `domain=${LISTED}&hash=${'ab'.repeat(16)}`,
    ])
      expect((await get(`/check?${query}`)).status, query).toBe(400);
  });

  test.each(MISTYPED)('/check/stream and /gpt/check?%s send no phase and no words', async (query) => {
    if (query.endsWith('fulll')) return;
    for (const route of ['/check/stream', '/gpt/check']) {
      const { status, text } = await get(`${route}?${query}`);
      expect([status, HARMLESS.test(text)], route).toEqual([400, false]);
    }
  });
});

describe('the SDK throws', () => {
  const of = (query: object) => assay.call('getCheck', { query } as never);

  test.each<[string, () => Promise<unknown>]>([
    ['a misspelt parameter', () => of({ q: LISTED })],
    ['a misspelt alias', () => of({ domian: LISTED })],
    ['options alone', () => of({ enrichment: 'basic' })],
    ['two targets', () => of({ ip: '1.2.3.4', domain: LISTED })],
    ['a misspelt level', () => of({ query: LISTED, enrichment: 'fulll' })],
    ['two values in one', () => assay.check(`${LISTED}, example.org`)],
    ['an AS number', () => assay.check('AS15169')],
    [
      'a misspelt member of a batch',
      () => assay.call('postBulkCheck', { body: { entites: [LISTED] } } as never),
    ],
    [
      'a misspelt parameter of the counts',
      () => assay.call('getCheckReputation', { query: { q: LISTED } } as never),
    ],
  ])('%s', async (_, ask) => {
    await expect(ask()).rejects.toBeInstanceOf(InvalidRequest);
  });

  test('an empty target, before anything is sent', async () => {
    await expect(assay.check('  ')).rejects.toBeInstanceOf(TypeError);
  });

  test('and calls an unreadable row of a batch "Not checked"', async () => {
    const words: string[] = [];
    for await (const row of assay.bulk([`${LISTED}, example.org`, 'AS15169', 'CVE-2021-44228']))
      words.push(verdictOfRow(row).word);
    expect(words).toEqual(['Not checked', 'Not checked', 'Not checked']);
  });
});

describe('an administration command that is mistyped', () => {
  test.each([
    ['check', LISTED],
    ['feeds', 'chek', LISTED],
    ['feeds', 'list', '--jsn'],
    ['feeds', 'list', LISTED],
    ['feeds', 'import', 'mistyped-list', '/dev/null', '--categroy', 'c2'],
    ['lists', 'status', LISTED],
    ['replica', 'statsu'],
    ['standing', 'status', LISTED],
  ])('%s %s fails and prints nothing', async (...args) => {
    const run = await adminRun({ DATABASE_URL: running.service.env.DATABASE_URL ?? '' }, args);
    expect(run).toMatchObject({ code: 1, lines: [], documents: [] });
    expect(run.stderr).not.toBe('');
  });
});
