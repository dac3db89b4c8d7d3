import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../server/test/support/eventually.ts';
import { bySize } from '../../../server/test/support/lane.ts';
import { DESKTOP, openBrowser, type Page, type PageOptions, PHONE, visit } from '../support/browser.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { untilIdle } from '../support/journey.ts';
import { type OpenScene, sceneOpener } from '../support/open-scene.ts';
import { SAMPLE } from '../support/sample-peers.ts';
import { type Scene, sceneOf } from '../support/screens.ts';
import { joinSampleStacks, type SampleStacks } from '../support/shared-stack.ts';

/** A fifth of 0.1, the limit of a good layout shift. */
const SHIFT_MAX = 0.02;

let stacks: SampleStacks;
let browser: Browser;
let openScene: OpenScene;
/** A good answer of /health, for every page: a slow engine on a busy machine would show a strip above the page. */
let operational: unknown;
beforeAll(async () => {
  [stacks, browser] = await Promise.all([joinSampleStacks(), openBrowser()]);
  openScene = await sceneOpener(stacks, browser, 'stability@example.com');
  await eventually('the service is operational', 60_000, async () => {
    const answer = await fetch(`${stacks.answering.url}/api/health`);
    operational = await answer.json();
    return answer.ok;
  });
});
afterAll(async () => {
  await browser?.close();
  await stacks?.stop();
});

type Shift = { readonly value: number; readonly what: readonly string[] };
type Shifting = { shifts: Shift[] };

/** Starts before the page loads, so that no shift is missed. */
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

/** Opens the scene, waits until it is complete, expects that nothing has moved, and closes it in any case. */
async function expectStillScene(
  scene: Scene,
  options: PageOptions,
  complete: (page: Page) => Promise<void>,
): Promise<void> {
  const watched = await openScene({ ...scene, init: watchShifts }, options);
  try {
    await complete(watched.page);
    await untilIdle(watched.page);
    await expectStill(watched.page);
    expect(watched.offences).toEqual([]);
  } finally {
    await watched.close();
  }
}
async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  // `networkidle` is not enough: a page that only computes for half a second counts as idle too.
  await expect.poll(() => stacks.answering.faults.seen.every(({ isOver }) => isOver())).toBe(true);
}

type Size = readonly [name: string, options: PageOptions];
const [DESK, HAND]: readonly [Size, Size] = [
  ['on a desk', { viewport: DESKTOP }],
  ['on a phone', { viewport: PHONE, hasTouch: true }],
];
const sizesOf = (nth: number): readonly Size[] => bySize([nth % 2 === 0 ? HAND : DESK], [DESK, HAND]);

const SLOW = ['/api/stats', '/api/analytics', '/api/auth/session', '/api/platform'].map(
  (path, nth): Fault => ({ path: new RegExp(`^${path}`), act: { kind: 'delay', ms: 250 + 200 * nth } }),
);
const healthy = (afterMs: number): Fault => ({
  path: /^\/api\/health/,
  act: { kind: 'answer', status: 200, body: operational, afterMs },
});
const slowly = (): readonly Fault[] => [...SLOW, healthy(650)];
const OPENED = [
  'home-ready',
  'home-empty',
  'overview-ready',
  'freshness-ready',
  'freshness-signed-out',
  'bulk-empty',
  'keys-ready',
  'reports-empty',
];

/** The landing lane opens every third page. */
const someOf = <T>(all: readonly T[]): readonly T[] =>
  bySize(
    all.filter((_, nth) => nth % 3 === 0),
    all,
  );

test.each(
  someOf(OPENED).flatMap((name, nth) =>
    sizesOf(nth).map(([size, options]) => [name, size, options] as const),
  ),
)('%s has no layout shift %s while slow answers come in', (name, _size, options) =>
  expectStillScene({ ...sceneOf(name), faults: slowly() }, options, quiet),
);

const STREAMED = {
  'an address on lists': `/app/ip/${SAMPLE.malicious}`,
  'a Tor exit': `/app/ip/${SAMPLE.torExit}`,
  'an unknown address': `/app/ip/${SAMPLE.unknownIp}`,
  'a domain': `/app/domain/${SAMPLE.lure}`,
  'an unknown domain': `/app/domain/${SAMPLE.unknownDomain}`,
  'a URL': `/app/url/${encodeURIComponent(SAMPLE.payload)}`,
  'a file': `/app/hash/${SAMPLE.malware}`,
  'an unknown file': `/app/hash/${SAMPLE.unknownHash}`,
};

test.each(
  someOf(Object.entries(STREAMED)).flatMap(([what, path], nth) =>
    sizesOf(nth).map(([size, options]) => [what, size, path, options] as const),
  ),
)('%s has no layout shift %s while its answer comes, phase by phase', (_what, _size, path, options) => {
  const pace: Fault = { path: /^\/api\/check\/stream/, act: { kind: 'pace', msPerEvent: 400 } };
  const scene = { ...sceneOf('indicator-ip-tor'), path, faults: [pace, ...slowly()] };
  return expectStillScene(scene, options, quiet);
});

test.each(sizesOf(0))('a domain has no layout shift %s when some providers do not answer', (_size, options) =>
  expectStillScene({ ...sceneOf('indicator-unanswered'), faults: [healthy(0)] }, options, (page) =>
    page.getByText('Did not answer:').waitFor(),
  ),
);

function watchGround(): void {
  const grounds: string[] = [];
  (globalThis as unknown as { grounds: string[] }).grounds = grounds;
  const look = (): void => {
    // Before its style sheet is loaded a page has no painted body.
    if (document.body !== null && document.styleSheets.length > 0)
      grounds.push(getComputedStyle(document.body).backgroundColor);
    requestAnimationFrame(look);
  };
  look();
}

test.each([
  ['light', 'dark'],
  ['dark', 'light'],
] as const)('on a %s system a chosen %s theme applies from the first frame', (system, chosen) =>
  visit(
    browser,
    stacks.answering.url,
    async ({ page }) => {
      await page.addInitScript((theme) => localStorage.setItem('assay.theme', theme), chosen);
      await page.addInitScript(watchGround);
      await page.goto('/app/overview');
      await page.getByText('Largest sources').waitFor();
      const grounds = () => page.evaluate(() => (globalThis as unknown as { grounds: string[] }).grounds);
      // A busy browser draws the whole page in its first frames.
      await expect.poll(async () => (await grounds()).length).toBeGreaterThan(3);
      const ground = chosen === 'dark' ? 'rgb(16, 19, 23)' : 'rgb(250, 249, 246)';
      expect(new Set(await grounds())).toEqual(new Set([ground]));
    },
    { colorScheme: system },
  ),
);
