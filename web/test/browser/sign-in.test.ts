import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enterPair, openBrowser, type Page, signIn } from '../support/browser.ts';
import { pressSequence, untilEnd, untilIdle, walk } from '../support/journey.ts';
import { joinPlainStack } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let browser: Browser;
let pair: { readonly apiKey: string; readonly apiSecret: string };
beforeAll(async () => {
  [stack, browser] = await Promise.all([joinPlainStack(), openBrowser()]);
  pair = await stack.newPair('analyst@example.com');
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const account = (page: Page) => page.getByRole('navigation', { name: 'Main' });

test('the message about a wrong pair names neither key nor secret, and the page stays usable', () =>
  walk({ browser, stack }, async ({ page }) => {
    await page.goto('/app/sign-in');
    await enterPair(page, { ...pair, apiSecret: 'x'.repeat(40) });
    await page.getByRole('alert').getByText('This key pair is not valid').waitFor();
    await enterPair(page, { apiKey: 'nobody', apiSecret: pair.apiSecret });
    await page.getByRole('alert').getByText('This key pair is not valid').waitFor();
    await enterPair(page, pair);
    await account(page).getByText('analyst@example.com').waitFor();
    // The rail knows the account before the page changes.
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/');
  }));

test('the pair is stored nowhere that a script can read', () =>
  walk({ browser, stack }, async ({ page, context }) => {
    await signIn(page, pair);
    await account(page).getByText('PRO plan').waitFor();
    const readable = await page.evaluate(() =>
      JSON.stringify([
        Object.entries(localStorage),
        Object.entries(sessionStorage),
        document.cookie,
        document.documentElement.outerHTML,
        [...document.querySelectorAll('input')].map(({ value }) => value),
        history.state,
      ]),
    );
    expect(readable).not.toContain(pair.apiSecret);
    expect(readable).not.toContain(pair.apiKey);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    const cookies = await context.cookies();
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    expect(cookies[0]?.value).not.toContain(pair.apiSecret);
  }));

test('signing out ends the session here and at the service', () =>
  walk({ browser, stack }, async ({ page, context }) => {
    await signIn(page, pair);
    const [cookie] = await context.cookies();
    await account(page).getByRole('button', { name: 'Sign out' }).click();
    await account(page).getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await context.cookies()).toEqual([]);
    const again = await fetch(`${stack.url}/api/auth/session`, {
      headers: { cookie: `${cookie?.name}=${cookie?.value}` },
    });
    expect(await again.json()).toEqual({ signedIn: false });
  }));

test('a check is charged to the signed-in account, and the rail shows the remaining quota', () =>
  walk({ browser, stack }, async ({ page }) => {
    await signIn(page, await stack.newPair('counted@example.com', 'BASIC'));
    const left = async () =>
      /([\d,]+) of ([\d,]+) checks left/.exec((await account(page).textContent()) ?? '')?.[1];
    await account(page).getByText('checks left').waitFor();
    const before = Number((await left())?.replaceAll(',', ''));
    await page.keyboard.press('/');
    await page.keyboard.insertText('45.155.205.233');
    await page.keyboard.press('Enter');
    await untilEnd(page);
    const usage = await page.evaluate(async () => (await fetch('/api/auth/session')).json());
    expect(usage).toMatchObject({ usage: { used: 1 } });
    await page.goto('/app/');
    await expect.poll(async () => Number((await left())?.replaceAll(',', ''))).toBe(before - 1);
  }));

test('a session that ended elsewhere is detected, the page is kept, and signing in returns to it', () =>
  walk(
    { browser, stack },
    async ({ page, context }) => {
      await page.clock.install();
      await signIn(page, pair);
      const value = 'https://login-check.com/a//b?q=1';
      await page.goto(`/app/url/${encodeURIComponent(value)}`);
      await untilEnd(page);
      await context.clearCookies();
      // The next request detects it; here the one of the rail, on the way to another page and back.
      await page.keyboard.press('r');
      await untilEnd(page);
      await page.getByRole('heading', { level: 1, name: value }).waitFor();
      // The page trusts its knowledge of a session for 30 s.
      await page.clock.fastForward(31_000);
      await pressSequence(page, ['g', 'o']);
      await page.waitForURL('**/app/overview');
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: value }).waitFor();
      await account(page).getByRole('link', { name: 'Sign in' }).click();
      await enterPair(page, pair);
      await page.getByRole('heading', { level: 1, name: value }).waitFor();
      await account(page).getByText('PRO plan').waitFor();
    },
    { isAlone: true },
  ));

test.each([
  '//evil.example/',
  'https://evil.example/',
  String.raw`/\evil.example/`,
  '/../../../evil',
  'javascript:alert(1)',
  '/\t/evil.example',
])('signing in never leads away from the dashboard: next=%j', (next) =>
  walk({ browser, stack }, async ({ page }) => {
    await page.goto(`/app/sign-in?next=${encodeURIComponent(next)}`);
    await enterPair(page, pair);
    await account(page).getByText('PRO plan').waitFor();
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
    expect(new URL(page.url()).origin).toBe(stack.url);
  }),
);

test('a paste beside the fields of a page that takes secrets stays out of the address bar', () =>
  walk(
    { browser, stack },
    async ({ page }) => {
      for (const path of ['/app/sign-in', '/app/register', '/app/reset']) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).click();
        await page.evaluate(() => navigator.clipboard.writeText('login-check.com'));
        await page.keyboard.press('Control+V');
        await untilIdle(page);
        expect(new URL(page.url()).pathname).toBe(path);
      }
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ));
