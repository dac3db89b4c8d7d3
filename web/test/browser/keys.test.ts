import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Page } from '../support/browser.ts';
import { openHome, pressSequence, streamsOf, untilEnd, untilIdle, walk } from '../support/journey.ts';
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

const PAGE = '/app/ip/45.155.205.233';
async function openIndicator(page: Page): Promise<void> {
  await page.goto(PAGE);
  await untilEnd(page);
}
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Shortcuts' });

test('the palette opens by Ctrl K, finds an action by a word and runs it', () =>
  walk({ browser, stack }, async ({ page }) => {
    await openIndicator(page);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await palette.locator('input:focus').waitFor();
    await page.keyboard.insertText('dark');
    await page.getByRole('menuitem', { name: 'Theme: dark' }).waitFor();
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await palette.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.keyboard.press('Control+k');
    await palette.locator('input:focus').waitFor();
    await page.keyboard.insertText('overview');
    await page.getByRole('menuitem', { name: 'Go to Overview' }).waitFor();
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/overview');
  }));

test('the palette works from inside a field, reports no match, and Esc restores the focus', () =>
  walk({ browser, stack }, async ({ page }) => {
    await openHome(page);
    const box = page.getByLabel('Indicator to check');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).locator('input:focus').waitFor();
    await page.keyboard.insertText('no such thing');
    await page.getByText('No such command on this page.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => box.evaluate((field) => field === document.activeElement)).toBe(true);
  }));

const EFFECTS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  y: (page) => page.getByText('Copied: Ticket summary').first().waitFor(),
  Y: (page) => page.getByText('Copied: Raw value').first().waitFor(),
  r: async () => expect.poll(() => streamsOf(stack).length).toBeGreaterThan(asked),
  '/': (page) => page.locator('input[aria-label="Indicator to check"]:focus').waitFor(),
  '?': (page) => sheet(page).waitFor(),
  'Ctrl k': (page) => page.getByRole('dialog', { name: 'Commands' }).waitFor(),
  'g c': (page) => page.waitForURL('**/app/'),
  'g b': (page) => page.waitForURL('**/app/bulk'),
  'g o': (page) => page.waitForURL('**/app/overview'),
  'g d': (page) => page.waitForURL('**/app/status/data'),
};
let asked = 0;

test('the sheet lists exactly the keys that work here: each of them is pressed and has its effect', () =>
  walk(
    { browser, stack },
    async ({ page }) => {
      await openIndicator(page);
      await page.keyboard.press('?');
      await sheet(page).waitFor();
      const listed = await sheet(page)
        .locator('dd')
        .evaluateAll((cells) =>
          cells.map((cell) => [...cell.querySelectorAll('kbd')].map((key) => key.textContent).join(' ')),
        );
      expect(listed.toSorted()).toEqual(Object.keys(EFFECTS).toSorted());
      for (const keys of listed) {
        await openIndicator(page);
        asked = streamsOf(stack).length;
        const presses = keys.startsWith('Ctrl ') ? [`Control+${keys.slice(5)}`] : keys.split(' ');
        await pressSequence(page, presses);
        await EFFECTS[keys]?.(page);
      }
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ));

test('single keys can be switched off, which is kept, and Ctrl K still works', () =>
  walk({ browser, stack }, async ({ page }) => {
    await openIndicator(page);
    await page.keyboard.press('?');
    await sheet(page).getByLabel('Single-key shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await sheet(page).waitFor({ state: 'detached' });
    for (const isReloaded of [false, true]) {
      if (isReloaded) await openIndicator(page);
      asked = streamsOf(stack).length;
      for (const keys of [['r'], ['?'], ['y'], ['g', 'o'], ['/']]) await pressSequence(page, keys);
      await untilIdle(page);
      expect(new URL(page.url()).pathname).toBe(PAGE);
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await page.getByText(/^Copied/).count()).toBe(0);
      expect(streamsOf(stack)).toHaveLength(asked);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
  }));

test('no single key does anything in a text field, nor under an open layer', () =>
  walk({ browser, stack }, async ({ page }) => {
    await openIndicator(page);
    asked = streamsOf(stack).length;
    await page.getByLabel('Indicator to check').focus();
    await page.keyboard.type('gory?x/');
    await expect.poll(() => page.getByLabel('Indicator to check').inputValue()).toBe('gory?x/');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await sheet(page).waitFor();
    for (const keys of [['r'], ['g', 'o']]) await pressSequence(page, keys);
    await untilIdle(page);
    expect(new URL(page.url()).pathname).toBe(PAGE);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
    expect(streamsOf(stack)).toHaveLength(asked);
  }));

test('a slash in the empty box is the shortcut and not part of an indicator', () =>
  walk({ browser, stack }, async ({ page }) => {
    await openHome(page);
    await page.keyboard.press('/');
    await page.keyboard.type('http://login-check.com/a');
    await expect
      .poll(() => page.getByLabel('Indicator to check').inputValue())
      .toBe('http://login-check.com/a');
  }));
