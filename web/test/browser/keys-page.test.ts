import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Page, PHONE, signIn } from '../support/browser.ts';
import { accuse, pressSequence, untilEnd, walk } from '../support/journey.ts';
import { axe, sidewaysOf, smallTargets } from '../support/page-rules.ts';
import { joinPlainStack } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

const VALUE = '45.155.205.77';
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([joinPlainStack(), openBrowser()]);
  await accuse(stack, [VALUE]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Opens a page from the menu, without a reload of the dashboard, so that the back button does not reload it either. */
async function fromMenu(page: Page, title: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: title }).click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const secretDialog = (page: Page) => dialog(page, 'Copy the secret now');

/** Runs a curl command that the page offered in a shell, and returns the HTTP status. */
async function statusOf(curl: string): Promise<number> {
  const command = `${curl} -o /dev/null -w '%{http_code}'`;
  return Number((await promisify(execFile)('/bin/sh', ['-c', command])).stdout);
}

async function copied(page: Page, form: string): Promise<string> {
  await page.getByRole('button', { name: `Copy: ${form}` }).click();
  await page.getByText('Copied', { exact: true }).first().waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Closes the dialog of the secret and confirms its question, as a person has to. */
async function leaveSecret(page: Page): Promise<void> {
  await secretDialog(page).getByRole('button', { name: 'Done' }).click();
  await secretDialog(page).getByRole('button', { name: 'I have stored it, close' }).click();
  await secretDialog(page).waitFor({ state: 'detached' });
}

const everythingReadable = (page: Page): Promise<string> =>
  page.evaluate(() =>
    JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value),
      history.state,
      location.href,
    ]),
  );

async function keepsTheRules(page: Page): Promise<void> {
  expect(await axe(page)).toEqual([]);
  const before = page.viewportSize();
  await page.setViewportSize(PHONE);
  expect(await sidewaysOf(page)).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
  if (before !== null) await page.setViewportSize(before);
}

test('a key is made, works by the first curl as it was copied, is rotated and revoked', () =>
  walk(
    { browser, stack },
    async ({ page }) => {
      await signIn(page, await stack.newPair('keys@example.com'));
      await fromMenu(page, 'Reports');
      await pressSequence(page, ['g', 'k']);
      await page.waitForURL('**/app/keys');
      await page.getByText('You are signed in with this key.').waitFor();
      await keepsTheRules(page);

      // Creates a key by keyboard alone: the shortcut `n`, the fields, Enter.
      await page.keyboard.press('n');
      await dialog(page, 'Create a key').waitFor();
      await keepsTheRules(page);
      await page.getByLabel('Name').focus();
      await page.keyboard.type('firewall');
      await page.keyboard.press('Tab');
      await page.keyboard.type('127.0.0.0/8');
      await page.getByLabel('Name').press('Enter');
      await secretDialog(page).waitFor();
      await keepsTheRules(page);
      const curl = await copied(page, 'First curl');
      const [apiKey = '', apiSecret = ''] = (await copied(page, 'Basic pair')).split(':');
      expect(apiKey).toMatch(/^ak_/);
      expect(await copied(page, 'Header')).toBe(
        `X-API-KEY: ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`,
      );
      expect(await statusOf(curl)).toBe(200);
      await leaveSecret(page);
      await page.evaluate(() => navigator.clipboard.writeText(''));
      const row = page.getByRole('row').filter({ hasText: 'firewall' });
      await row.getByText('127.0.0.0/8').waitFor();
      await row.getByText('For programs: it cannot sign in.').waitFor();
      const readable = await everythingReadable(page);
      expect(readable).not.toContain(apiSecret);
      expect(readable).not.toContain(curl.slice(curl.indexOf('X-API-KEY'), curl.indexOf('X-API-KEY') + 60));

      await page.getByRole('button', { name: 'Rotate firewall' }).click();
      await dialog(page, 'Rotate the key').getByLabel('At once').check();
      await keepsTheRules(page);
      await page.getByRole('button', { name: 'Rotate', exact: true }).click();
      await secretDialog(page).waitFor();
      const second = await copied(page, 'First curl');
      expect(second).not.toBe(curl);
      expect([await statusOf(curl), await statusOf(second)]).toEqual([401, 200]);
      await leaveSecret(page);
      expect(await everythingReadable(page)).not.toContain(second.slice(60, 120));

      await page.getByRole('button', { name: 'Revoke firewall' }).click();
      await dialog(page, 'Revoke the key').getByText('refused within a second').waitFor();
      await keepsTheRules(page);
      await page.getByRole('button', { name: 'Revoke', exact: true }).click();
      await row.waitFor({ state: 'detached' });
      await expect.poll(() => statusOf(second)).toBe(401);
    },
    CLIPBOARD,
  ));

test('the dialog of a secret is not left by accident', () =>
  walk({ browser, stack }, async ({ page }) => {
    await signIn(page, await stack.newPair('careful@example.com'));
    await fromMenu(page, 'Keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await secretDialog(page).getByText('X-API-KEY: base64(apiKey:apiSecret)').waitFor();
    const question = secretDialog(page).getByText('You will not see this secret again.');
    const back = () => secretDialog(page).getByRole('button', { name: 'Back to the secret' }).click();
    const isHeld = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
    expect(await isHeld()).toBe(true);
    await page.keyboard.press('Escape');
    await question.waitFor();
    await back();
    await page.mouse.click(5, 5);
    await question.waitFor();
    await back();
    await page.evaluate(() => history.back());
    await question.waitFor();
    await back();
    await page.keyboard.press('Control+k');
    await dialog(page, 'Commands').locator('input:focus').waitFor();
    await page.keyboard.insertText('overview');
    await page.getByRole('menuitem', { name: 'Go to Overview' }).click();
    await question.waitFor();
    await back();
    expect(new URL(page.url()).pathname).toBe('/app/keys');
    await leaveSecret(page);
    expect(await isHeld()).toBe(false);
  }));

test('revoking the key of this session names what ends, signs out, and says so', () =>
  walk({ browser, stack }, async ({ page }) => {
    await signIn(page, await stack.newPair('last@example.com'));
    await page.goto('/app/keys');
    await page.getByRole('button', { name: /^Revoke / }).click();
    const asked = dialog(page, 'Revoke the key');
    await asked.getByText('1 open session ends with it.').waitFor();
    await asked.getByText('You are signed in with it, so you will be signed out.').waitFor();
    await asked.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
    const session = await page.evaluate(async () => (await fetch('/api/auth/session')).json());
    expect(session).toEqual({ signedIn: false });
  }));

test('a check is saved as a report, listed, opened, downloaded and deleted', () =>
  walk({ browser, stack }, async ({ page }) => {
    await page.goto(`/app/ip/${VALUE}`);
    await untilEnd(page);
    await page.getByRole('link', { name: 'Sign in to save a report' }).waitFor();
    await signIn(page, await stack.newPair('reports@example.com'));
    await fromMenu(page, 'Keys');
    await pressSequence(page, ['g', 'p']);
    await page.getByText('Nothing is saved yet.').waitFor();

    await page.goto(`/app/ip/${VALUE}`);
    await untilEnd(page);
    const word = await page.locator('section[aria-label="Verdict"] [data-tone]').first().textContent();
    await page.getByRole('button', { name: 'Save report' }).waitFor();
    await page.keyboard.press('s');
    await page.getByText('Saved in Reports').first().waitFor();
    await page.getByRole('link', { name: 'Reports', exact: true }).last().click();
    const row = page.getByRole('row').filter({ hasText: VALUE });
    await row.getByText(word ?? '', { exact: true }).waitFor();
    await keepsTheRules(page);

    await row.getByRole('button', { name: /^Download/ }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'HTML page' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^report-ip-\d{4}-\d\d-\d\d\.html$/);

    await row.getByRole('link', { name: VALUE }).click();
    await page.getByRole('heading', { level: 1, name: VALUE }).waitFor();
    await page.getByText('This is the answer as it was then').waitFor();
    await keepsTheRules(page);
    await page.getByRole('button', { name: `Delete the report about ${VALUE}` }).click();
    await dialog(page, 'Delete the report').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing is saved yet.').waitFor();
  }));
