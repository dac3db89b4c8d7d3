import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESKTOP, openBrowser, openPage, type Page, PHONE } from '../support/browser.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { sceneOpener } from '../support/open-scene.ts';
import { SAMPLE } from '../support/sample-peers.ts';
import { type SampleStack, startSampleStack } from '../support/sample-stack.ts';
import { SCENES, type Scene } from '../support/screens.ts';

/** A fifth of what is called good. */
const SHIFT_MAX = 0.02;

let stack: SampleStack;
let browser: Browser;
let openScene: Awaited<ReturnType<typeof sceneOpener>>;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startSampleStack(), openBrowser()]);
  openScene = await sceneOpener(stack, browser);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

type Shift = { readonly value: number; readonly what: readonly string[] };
type Shifting = { shifts: Shift[] };

/** Before anything of the page is there, so that no shift is missed. */
function watchShifts(): void {
  const kept: Shift[] = [];
  (globalThis as unknown as Shifting).shifts = kept;
  type Entry = PerformanceEntry & {
    readonly value: number;
    readonly hadRecentInput: boolean;
    readonly sources: readonly { readonly node: Node | null }[];
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Entry[])
      if (!entry.hadRecentInput)
        kept.push({
          value: entry.value,
          what: entry.sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? ''),
        });
  }).observe({ type: 'layout-shift', buffered: true });
}

const expectStill = async (page: Page): Promise<void> => {
  const shifts = await page.evaluate(() => (globalThis as unknown as Shifting).shifts);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, JSON.stringify(shifts)).toBeLessThanOrEqual(SHIFT_MAX);
};

const SIZES: readonly (readonly [string, BrowserContextOptions])[] = [
  ['on a desk', { viewport: DESKTOP }],
  ['on a phone', { viewport: PHONE, hasTouch: true }],
];

const sceneOf = (name: string): Scene => {
  const found = SCENES.find((scene) => scene.name === name);
  if (found === undefined) throw new Error(`There is no scene '${name}'.`);
  return found;
};

const SLOW = ['/api/stats', '/api/analytics', '/api/health', '/api/auth/session', '/api/platform'].map(
  (path, nth): Fault => ({ path: new RegExp(`^${path}`), act: { kind: 'delay', ms: 250 + 200 * nth } }),
);
const OPENED = [
  'home-ready',
  'home-empty',
  'overview-ready',
  'freshness-ready',
  'freshness-signed-out',
  'bulk-empty',
];

test.each(OPENED.flatMap((name) => SIZES.map(([size, options]) => [name, size, options] as const)))(
  '%s stands still %s while slow answers come in',
  async (name, _size, options) => {
    const watched = await openScene({ ...sceneOf(name), faults: SLOW, init: watchShifts }, options);
    await watched.page.waitForTimeout(1_500);
    await expectStill(watched.page);
    await watched.close();
    expect(watched.offences).toEqual([]);
  },
);

const STREAMED = {
  'an address on lists': `/app/ip/${SAMPLE.malicious}`,
  'a Tor exit': `/app/ip/${SAMPLE.torExit}`,
  'an address nobody knows': `/app/ip/${SAMPLE.unknownIp}`,
  'a domain': `/app/domain/${SAMPLE.lure}`,
  'a domain nobody knows': `/app/domain/${SAMPLE.unknownDomain}`,
  'a URL': `/app/url/${encodeURIComponent(SAMPLE.payload)}`,
  'a file': `/app/hash/${SAMPLE.malware}`,
  'a file nobody knows': `/app/hash/${SAMPLE.unknownHash}`,
};

test.each(
  Object.entries(STREAMED).flatMap(([what, path]) =>
    SIZES.map(([size, options]) => [what, size, path, options] as const),
  ),
)('%s stands still %s while its answer comes, phase by phase', async (_what, _size, path, options) => {
  const watched = await openScene(
    {
      ...sceneOf('indicator-ip-tor'),
      path,
      faults: [{ path: /^\/api\/check\/stream/, act: { kind: 'pace', msPerEvent: 400 } }, ...SLOW],
      init: watchShifts,
    },
    options,
  );
  await watched.page.waitForTimeout(800);
  await expectStill(watched.page);
  await watched.close();
  expect(watched.offences).toEqual([]);
});

test.each(SIZES)('a domain stands still %s when some do not answer', async (_size, options) => {
  const watched = await openScene({ ...sceneOf('indicator-unanswered'), init: watchShifts }, options);
  await watched.page.getByText('Did not answer:').waitFor();
  await watched.page.waitForTimeout(500);
  await expectStill(watched.page);
  await watched.close();
  expect(watched.offences).toEqual([]);
});

/** The ground of the page in every frame that is drawn. */
function watchGround(): void {
  const grounds: string[] = [];
  (globalThis as unknown as { grounds: string[] }).grounds = grounds;
  const look = (): void => {
    // Before its style sheet is here a page has no body that could be painted.
    if (document.body !== null && document.styleSheets.length > 0)
      grounds.push(getComputedStyle(document.body).backgroundColor);
    requestAnimationFrame(look);
  };
  look();
}

test.each([
  ['light', 'dark'],
  ['dark', 'light'],
] as const)('on a %s system a chosen %s theme is there from the first frame', async (system, chosen) => {
  const watched = await openPage(browser, stack.url, { colorScheme: system });
  const { page } = watched;
  await page.addInitScript((theme) => localStorage.setItem('assay.theme', theme), chosen);
  await page.addInitScript(watchGround);
  await page.goto('/app/overview');
  await page.getByText('Largest sources').waitFor();
  const grounds = await page.evaluate(() => (globalThis as unknown as { grounds: string[] }).grounds);
  expect(grounds.length).toBeGreaterThan(3);
  expect(new Set(grounds)).toEqual(new Set([chosen === 'dark' ? 'rgb(16, 19, 23)' : 'rgb(250, 249, 246)']));
  await watched.close();
  expect(watched.offences).toEqual([]);
});
