import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Page, type PageOptions, PHONE, visit } from '../support/browser.ts';
import { axe, sidewaysOf, smallTargets } from '../support/page-rules.ts';
import { joinPlainStack } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([joinPlainStack(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const onPage = (steps: (page: Page) => Promise<void>, options: PageOptions = {}) =>
  visit(
    browser,
    stack.url,
    async ({ page }) => {
      await page.goto('/docs');
      await steps(page);
    },
    options,
  );
const field = (page: Page) => page.getByRole('searchbox', { name: 'Search routes' });
const shownRoutes = (page: Page) => page.locator('main article.route:visible').count();
const clipboardOf = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('a reader finds a route by keyboard, copies from it, and goes back to the dashboard', () =>
  onPage(
    async (page) => {
      const all = await shownRoutes(page);
      await page.keyboard.press('/');
      await page.keyboard.type('post bulk');
      await page.getByText(`1 of ${all} routes`).waitFor();
      expect(await shownRoutes(page)).toBe(1);
      expect(await page.locator('nav li a:visible').count()).toBe(1);
      await page.keyboard.press('ArrowDown');
      await page.locator('nav a[href="#postBulkCheck"]:focus').waitFor();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.locator('#postBulkCheck h3 a:focus').waitFor();

      await page.getByRole('button', { name: 'Copy: the command of POST /bulk/check' }).click();
      await page.getByText('Copied: the command of POST /bulk/check').waitFor();
      expect(await clipboardOf(page)).toMatch(
        /^curl -X POST '\S+\/bulk\/check' \\\n {2}-H "X-API-KEY: \$ASSAY_KEY" \\\n/,
      );
      await page.getByRole('button', { name: 'Copy: the sample answer of POST /bulk/check' }).click();
      await page.getByText('Copied: the sample answer of POST /bulk/check').waitFor();
      expect(JSON.parse(await clipboardOf(page))).toMatchObject({ success: true });

      // A link to a route that the search hides shows everything again.
      await page.evaluate(() => {
        location.hash = 'getCheck';
      });
      await page.locator('#getCheck').waitFor();
      expect(await shownRoutes(page)).toBe(all);
      await field(page).fill('no such route');
      await page.getByText(`0 of ${all} routes`).waitFor();
      await page.keyboard.press('Escape');
      expect(await shownRoutes(page)).toBe(all);
      const home = page.getByRole('link', { name: 'Dashboard' });
      expect(await home.getAttribute('href')).toBe(`${stack.url}/app/`);
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ));

const colours = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test('in light and dark it is accessible, and at 390 px nothing but code scrolls sideways', () =>
  onPage(
    async (page) => {
      // Makes the browser lay out all routes, because `content-visibility` skips those outside the window.
      await page.evaluate(() => {
        for (const article of document.querySelectorAll('article'))
          article.style.contentVisibility = 'visible';
      });
      expect(await sidewaysOf(page)).toEqual([]);
      expect(await smallTargets(page)).toEqual([]);
      // Checks the routes about keys only, which contain every part a route can have: all routes would cost a minute.
      await field(page).fill('/user/keys');
      await page.evaluate(() => {
        for (const hidden of document.querySelectorAll('article[hidden], nav li[hidden]')) hidden.remove();
      });
      const seen = new Set<string>();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        seen.add(await colours(page));
        expect(await axe(page)).toEqual([]);
      }
      expect(seen.size).toBe(2);
    },
    { viewport: PHONE, colorScheme: 'light' },
  ));

test('it has the fonts of the dashboard and the theme that was chosen there, and is complete without script', async () => {
  await visit(
    browser,
    stack.url,
    async ({ page }) => {
      await page.addInitScript(() => localStorage.setItem('assay.theme', 'dark'));
      await page.goto('/docs');
      expect(await colours(page)).toBe('rgb(16, 19, 23)');
      const loaded = () =>
        page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').length);
      await expect.poll(loaded).toBeGreaterThanOrEqual(2);
    },
    { colorScheme: 'light' },
  );
  await onPage(
    async (page) => {
      expect(await shownRoutes(page)).toBeGreaterThan(50);
      expect(await page.locator('#search').isVisible()).toBe(false);
      expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
    },
    { javaScriptEnabled: false },
  );
});
