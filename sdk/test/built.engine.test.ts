import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/support/eventually.ts';
import { type SharedService, sharedService } from '../../server/test/support/shared-service.ts';
import { type BuiltPackage, installBuilt } from './built-package.ts';
import { type PageServer, servePage } from './serve-page.ts';

const run = promisify(execFile);
const OLDER_NODE = '/usr/bin/node';
const CHROMIUM = '/usr/bin/chromium';
const NODE_MAJOR_MIN = 20;
const PHASES = ['reputation', 'basic', 'insights', 'enrichment', 'done'];

let shared: SharedService;
let service: SharedService['service'];
let built: BuiltPackage;

beforeAll(async () => {
  built = await installBuilt();
  shared = await sharedService('sdk-built');
  service = shared.service;
}, 600_000);
afterAll(async () => {
  await shared?.stop();
  built?.remove();
});

const versionOf = async (node: string): Promise<string> =>
  existsSync(node) ? (await run(node, ['--version'])).stdout.trim() : 'none';
const older = await versionOf(OLDER_NODE);
const isOldEnough = Number(/^v(\d+)/.exec(older)?.[1] ?? 0) >= NODE_MAJOR_MIN;

describe(`with the Node of the system (${OLDER_NODE}: ${older}; skipped below ${NODE_MAJOR_MIN})`, () => {
  test.runIf(isOldEnough)(
    'the published package checks, streams, resumes and fails with its classes',
    async () => {
      const { credential } = await shared.accounts.newAccount('older@example.com', { plan: 'PRO' });
      const script = join(built.project, 'check.mjs');
      writeFileSync(
        script,
        `import { createAssay, InvalidRequest, verdictOf } from '@assay/sdk';
const assay = createAssay({ baseUrl: process.env.ASSAY_URL, key: process.env.ASSAY_KEY });
const result = await assay.check('never-seen.net');
let id;
for await (const phase of assay.checkStream('never-seen.net')) {
  id = phase.id;
  if (phase.type === 'basic') break;
}
const rest = [];
for await (const { type } of assay.checkStream('never-seen.net', { lastEventId: id })) rest.push(type);
const refused = await assay.check('not an indicator').catch((error) => error instanceof InvalidRequest);
console.log(JSON.stringify({ word: verdictOf(result).word, rest, refused, node: process.version }));
`,
      );
      const env = { PATH: process.env.PATH, ASSAY_URL: service.url, ASSAY_KEY: credential };
      const { stdout } = await run(OLDER_NODE, [script], { env });
      expect(JSON.parse(stdout)).toEqual({
        word: 'Not listed',
        rest: PHASES.slice(2),
        refused: true,
        node: older,
      });
    },
  );
});

describe.runIf(existsSync(CHROMIUM))(`in a page of ${CHROMIUM}, on another origin than the service`, () => {
  let pages: PageServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    pages = await servePage(built.installed);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    page = await browser.newPage();
    await page.goto(pages.url);
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  const inPage = <T>(work: string): Promise<T> =>
    page.evaluate(
      `(async () => {
        const sdk = await import('/sdk/index.js');
        const assay = sdk.createAssay({ baseUrl: ${JSON.stringify(service.url)}, retries: 0 });
        ${work}
      })()`,
    ) as Promise<T>;

  test('a check is streamed to its end, and its word is not a good one', async () => {
    const seen = await inPage<{ types: string[]; word: string }>(`
      const state = {};
      for await (const { type, data } of assay.checkStream('never-seen.net')) state[type] = data;
      return { types: Object.keys(state), word: sdk.verdictOf(state).word };`);
    expect(seen).toEqual({ types: PHASES, word: 'Not listed' });
  });

  test('a check that was left resumes where it stopped', async () => {
    const rest = await inPage(`
      let lastEventId;
      for await (const phase of assay.checkStream('never-seen.net')) { lastEventId = phase.id; break; }
      const types = [];
      for await (const { type } of assay.checkStream('never-seen.net', { lastEventId })) types.push(type);
      return types;`);
    expect(rest).toEqual(PHASES.slice(1));
  });

  test('an abort is an Aborted, and the service closes the stream', async () => {
    const name = await inPage(`
      const leave = new AbortController();
      const first = assay.checkStream('never-seen.net', { signal: leave.signal }).next();
      leave.abort();
      return first.then(() => 'a phase came', (error) => [error instanceof sdk.Aborted, error.name]);`);
    expect(name).toEqual([true, 'AbortError']);
    // Waits, because other test files open streams for moments; a stream that leaks would keep the gauge above 0.
    await eventually('nothing is open', 30_000, async () =>
      /assay_sse_streams\{process="listener-0"\} 0/.test(await (await fetch(service.metricsUrl)).text()),
    );
  });

  test('a used-up limit is a RateLimited with the time for a countdown', async () => {
    const limited = await inPage<Record<string, unknown> & { readonly waitMs: number }>(`
      for (let call = 0; call < 12; call += 1)
        try {
          for await (const phase of assay.checkStream('never-seen.net')) if (phase.type === 'done') break;
        } catch (error) {
          const { usedUp, plan, retryAfterMs, retryAtMs, resetsAtMs, requestId } = error;
          const isTyped = error instanceof sdk.RateLimited;
          return { isTyped, usedUp, plan, requestId, waitMs: retryAtMs - Date.now(), hasAll: retryAfterMs > 0 && resetsAtMs > 0 };
        }
      return null;`);
    expect(limited).toMatchObject({
      isTyped: true,
      usedUp: 'anonymous',
      plan: 'ANONYMOUS',
      hasAll: true,
      requestId: expect.stringMatching(/^req_/) as unknown,
    });
    expect(limited.waitMs).toBeGreaterThan(0);
  });

  test('a key is refused', async () => {
    const message = await inPage(`
      try { sdk.createAssay({ baseUrl: location.origin, key: 'a' }); return null; } catch (error) { return error.message; }`);
    expect(message).toMatch(/^A key must not be shipped to browsers/);
  });
});
