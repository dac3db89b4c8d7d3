import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bySize } from '../../../server/test/support/lane.ts';
import { openBrowser, type Page, visit } from '../support/browser.ts';
import { accuse, untilEnd, verdictOf } from '../support/journey.ts';
import { joinPlainStack } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

const LISTED = '185.220.101.39';
const SCRIPTS = '**/assets/*.js';

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([joinPlainStack(), openBrowser()]);
  await accuse(stack, [LISTED]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Answers the first `times` requests for each script with 503; returns how often each script was lost. */
async function loseEach(page: Page, times: number): Promise<ReadonlyMap<string, number>> {
  const lost = new Map<string, number>();
  await page.route(SCRIPTS, async (route) => {
    const { pathname } = new URL(route.request().url());
    const before = lost.get(pathname) ?? 0;
    if (before >= times) return route.continue();
    lost.set(pathname, before + 1);
    return route.fulfill({ status: 503, body: 'busy' });
  });
  return lost;
}

const PLACES: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  ['/app/', (page) => page.getByRole('heading', { name: 'Check an indicator' }).waitFor()],
  [`/app/ip/${LISTED}`, (page) => page.getByRole('heading', { name: 'Sources' }).waitFor()],
  ['/app/bulk', (page) => page.getByRole('heading', { name: 'Bulk triage' }).waitFor()],
  ['/app/overview', (page) => page.getByRole('heading', { name: 'What is listed here' }).waitFor()],
  ['/app/status/data', (page) => page.getByRole('heading', { name: 'Data freshness' }).waitFor()],
];

test.each([1, 2])(
  'every script of a page may be lost %i times: the page comes by itself, without a reload',
  async (times) => {
    for (const [path, isThere] of bySize(PLACES, PLACES.slice(1, 3)))
      await visit(browser, stack.url, async ({ page }) => {
        const lost = await loseEach(page, times);
        await page.goto(path);
        await isThere(page);
        await page.getByRole('status').filter({ hasText: 'not loaded' }).waitFor({ state: 'detached' });
        expect(lost.size).toBeGreaterThan(3);
        expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1);
        expect(await page.locator('html').getAttribute('data-lost')).toBeNull();
      });
  },
);

test('a screen whose script is lost says so, keeps the page before it, and Try again fetches it', () =>
  visit(browser, stack.url, async ({ page }) => {
    await page.goto('/app/');
    await page.getByRole('heading', { name: 'Check an indicator' }).waitFor();
    let isLost = true;
    await page.route('**/assets/overview-page-*.js', (route) =>
      isLost ? route.fulfill({ status: 503, body: 'busy' }) : route.continue(),
    );
    await page.getByRole('link', { name: 'Overview' }).click();
    const strip = page.getByRole('status').filter({ hasText: 'One part of this page has not loaded.' });
    await strip.waitFor();
    await page.getByRole('heading', { name: 'Check an indicator' }).waitFor();
    isLost = false;
    const overview = page.getByRole('heading', { name: 'What is listed here' });
    // The page also tries by itself, and may be faster than the click on a busy machine.
    await Promise.race([strip.getByRole('button', { name: 'Try again' }).click(), overview.waitFor()]);
    await overview.waitFor();
    await strip.waitFor({ state: 'detached' });
  }));

test('without the entry script the page says so, and its box answers on a plain page', () =>
  visit(browser, stack.url, async ({ page }) => {
    await page.route(SCRIPTS, (route) => route.fulfill({ status: 503, body: 'busy' }));
    await page.goto('/app/');
    await page.getByText('The script of this page has not come.').waitFor();
    await page.getByLabel('Indicator to check').fill(LISTED);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/api/check/plain?query=${LISTED}`);
    await page.getByRole('heading', { name: `${LISTED}: Malicious` }).waitFor();
    await page.getByText('Do: Block it.').waitFor();
  }));

test('keys that are pressed before the scripts are here stay in the box, and Enter checks them', () =>
  visit(browser, stack.url, async ({ page }) => {
    const { promise: passed, resolve: letPass } = Promise.withResolvers<void>();
    await page.route('**/assets/index-*.js', async (route) => {
      await passed;
      await route.continue();
    });
    await page.goto('/app/', { waitUntil: 'commit' });
    await page.locator('#first-box input:focus').waitFor();
    await page.keyboard.type(LISTED.slice(0, 7));
    letPass();
    await page.getByRole('heading', { name: 'Check an indicator' }).waitFor();
    expect(await page.locator('#first-box').count()).toBe(0);
    await page.keyboard.type(LISTED.slice(7));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/app/ip/${LISTED}`);
    await untilEnd(page);
    expect(await verdictOf(page).textContent()).toMatch(/risk \d+ of 100/);
  }));
