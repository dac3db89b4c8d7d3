import { createHash, randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Page, signIn } from '../support/browser.ts';
import { openHome, untilEnd, walk } from '../support/journey.ts';
import { joinPlainStack } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

const FILE = randomBytes(5 * 1_048_576);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const SHA256 = sha256(FILE);

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([joinPlainStack(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

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
  'the SHA-256 of a file that is %s is correct, and none of its content is sent',
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

test('a file dropped anywhere on the first page is hashed, and none of its content is sent', () =>
  walk({ browser, stack }, async ({ page }) => {
    const before = stack.faults.seen.length;
    await openHome(page);
    await drop(page, 'main', FILE.toString('base64'), 'setup.exe');
    await page.waitForURL(`**/app/hash/${SHA256}`);
    await untilEnd(page);
    expect(uploadedSince(before)).toEqual([]);
  }));

test('a text file can be hashed or opened: its indicators go to bulk triage, and an empty file is refused with the reason', () =>
  walk({ browser, stack }, async ({ page }) => {
    const before = stack.faults.seen.length;
    await openHome(page);
    await drop(page, 'main', '', 'empty.bin');
    await page.getByText('This file is empty.').waitFor();
    await page.keyboard.press('Escape');
    await drop(page, 'main', btoa('seen 45.155.205.233 and login-check.com'), 'report.txt');
    await page.getByRole('button', { name: 'Check the file itself' }).waitFor();
    await page.getByRole('button', { name: 'Find indicators in it' }).click();
    await page.waitForURL('**/app/bulk');
    await expect.poll(() => page.getByLabel('Text to read').inputValue()).toContain('login-check.com');
    expect(uploadedSince(before)).toEqual([]);
  }));

test('several files are hashed each, an empty one says why, and in bulk every row shows the file name, which was not sent', () =>
  walk({ browser, stack }, async ({ page }) => {
    await signIn(page, await stack.newPair('files@example.com'));
    const before = stack.faults.seen.length;
    // One name shows a wrong extension by a right-to-left override, and one is markup.
    const names = ['acme-payroll\u202efdp.exe', '<img src=x onerror=alert(1)>.dll'] as const;
    const samples = names.map((name) => ({ name, mimeType: '', buffer: randomBytes(2_000_000) }));
    await openHome(page);
    await page
      .locator('search input[type=file]')
      .setInputFiles([...samples, { name: 'empty.bin', mimeType: '', buffer: Buffer.of() }]);
    const group = page.getByRole('group', { name: 'The files' });
    await group.getByText('This file is empty.').waitFor();
    const hashes = samples.map(({ buffer }) => sha256(buffer));
    for (const hash of hashes) await group.getByRole('link', { name: hash }).waitFor();
    await group.getByRole('button', { name: 'Check 2 in bulk' }).click();
    await page.waitForURL('**/app/bulk');
    await page.getByText(/^2 pasted: 2 to check, 1 request/).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('2 indicators checked, 2 checks used.').waitFor();

    const row = page.getByRole('row').filter({ hasText: hashes[0] ?? '' });
    await expect.poll(() => row.textContent()).toContain('acme-payrollU+202Efdp.exe');
    await expect.poll(() => page.getByRole('row').filter({ hasText: names[1] }).count()).toBe(1);
    await row.getByRole('link').click();
    await page.waitForURL(`**/app/hash/${hashes[0]}`);
    await page.getByText('here called acme-payroll').waitFor();
    await untilEnd(page);

    const sent = stack.faults.seen.slice(before);
    expect(sent.filter(({ url }) => /payroll|onerror/.test(url))).toEqual([]);
    // 200 bytes have room for two hashes and the JSON around them, but not for a file name.
    expect(largest(sent.map(({ bodyBytes }) => bodyBytes))).toBeLessThan(200);
  }));

const largest = (values: readonly number[]): number => Math.max(0, ...values);
