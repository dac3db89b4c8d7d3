import { createHash, randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Page } from '../support/browser.ts';
import { untilEnd, walk } from '../support/journey.ts';
import { type Stack, startStack } from '../support/stack.ts';

const FILE = randomBytes(5 * 1_048_576);
const SHA256 = createHash('sha256').update(FILE).digest('hex');

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** As a person drops it: the browser's own events, with a file in them. */
const drop = (page: Page, where: string, base64: string, name: string): Promise<void> =>
  page.evaluate(
    async ([selector = '', content = '', fileName = '']) => {
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], fileName));
      for (const type of ['dragover', 'drop'])
        document
          .querySelector(selector)
          ?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [where, base64, name],
  );

const uploadedSince = (before: number) =>
  stack.faults.seen.slice(before).filter(({ method, bodyBytes }) => method !== 'GET' || bodyBytes > 0);

test.each([
  ['chosen', false],
  ['chosen on a page without web cryptography', true],
] as const)(
  'the SHA-256 of a file that is %s is right, and nothing of the file leaves',
  (_how, isPlainHttp) =>
    walk({ browser, stack }, async ({ page }) => {
      if (isPlainHttp)
        await page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
      const before = stack.faults.seen.length;
      await page.goto('/app/');
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).click();
      await (await chooser).setFiles({
        name: 'setup.exe',
        mimeType: 'application/octet-stream',
        buffer: FILE,
      });
      await page.waitForURL(`**/app/hash/${SHA256}`);
      await untilEnd(page);
      expect(uploadedSince(before)).toEqual([]);
      expect(stack.faults.seen.slice(before).some(({ url }) => url.includes('setup'))).toBe(false);
    }),
);

test('a file dropped anywhere on the first page is hashed, and nothing of it leaves', () =>
  walk({ browser, stack }, async ({ page }) => {
    const before = stack.faults.seen.length;
    await page.goto('/app/');
    await page.getByRole('heading', { name: 'Check an indicator' }).waitFor();
    await drop(page, 'main', FILE.toString('base64'), 'setup.exe');
    await page.waitForURL(`**/app/hash/${SHA256}`);
    await untilEnd(page);
    expect(uploadedSince(before)).toEqual([]);
  }));

test('a text file is a choice: its indicators go to bulk triage, and an empty file is refused with the reason', () =>
  walk({ browser, stack }, async ({ page }) => {
    await page.goto('/app/');
    await page.getByRole('heading', { name: 'Check an indicator' }).waitFor();
    await drop(page, 'main', '', 'empty.bin');
    await page.getByText('This file is empty.').waitFor();
    await page.keyboard.press('Escape');
    await drop(page, 'main', btoa('seen 45.155.205.233 and login-check.com'), 'report.txt');
    await page.getByRole('button', { name: 'Check the file itself' }).waitFor();
    await page.getByRole('button', { name: 'Find indicators in it' }).click();
    await page.waitForURL('**/app/bulk');
    expect(await page.getByLabel('Text to read').inputValue()).toContain('login-check.com');
    expect(stack.faults.seen.filter(({ method }) => method === 'POST')).toEqual([]);
  }));
