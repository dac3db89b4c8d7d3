import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followCorpus } from '../../../server/src/capabilities/search/index.ts';
import { openBrowser, type Page, signIn } from '../support/browser.ts';
import { accuse, untilEnd, verdictOf, walk } from '../support/journey.ts';
import { joinPlainStack } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

const [BRAND, SLIP, AROUND] = ['bluebank.com', 'bluebnak.com', 'bluebank-login.com'];

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([joinPlainStack(), openBrowser()]);
  await accuse(stack, [SLIP, AROUND]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Runs the job that the worker runs every minute: it brings newly listed names into the look-alike search. */
const follow = () => followCorpus({ run: 'test', transaction: stack.accounts.system.transaction });
const panelOf = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Look-alikes' }) });

test('listed names that imitate this one are found on request and link to their pages', () =>
  walk({ browser, stack }, async ({ page }) => {
    await follow();
    await signIn(page, await stack.newPair('lookalikes@example.com'));
    await page.goto(`/app/domain/${BRAND}`);
    await untilEnd(page);
    const panel = panelOf(page);
    await panel.getByRole('button', { name: 'Search look-alikes' }).click();
    await panel.getByText('2 names on threat lists pass for this one, the most dangerous first.').waitFor();
    expect((await panel.getByRole('listitem').allTextContents()).toSorted()).toEqual([
      expect.stringMatching(/^bluebank-login\.comwords around it, risk \d+$/),
      expect.stringMatching(
        /^bluebnak\.comone slip of the keyboard away, risk \d+bluebnak\.com: letters 6 and 7 are swapped$/,
      ),
    ]);
    expect(await panel.locator('mark').allTextContents()).toEqual(['n', 'a']);
    await panel.getByRole('link', { name: SLIP }).click();
    await page.getByRole('heading', { level: 1, name: SLIP }).waitFor();
    await verdictOf(page).getByText('Malicious', { exact: true }).waitFor();
  }));

test('a failed search is not shown as "none": it gives the reason and can be repeated', () =>
  walk({ browser, stack }, async ({ page }) => {
    await follow();
    await signIn(page, await stack.newPair('failing-lookalikes@example.com'));
    const body = { error: 'Service Unavailable', message: 'Names are being made searchable.' };
    stack.faults.set([{ path: /\/search/, act: { kind: 'answer', status: 503, body } }]);
    await page.goto(`/app/domain/${BRAND}`);
    await untilEnd(page);
    const panel = panelOf(page);
    await panel.getByRole('button', { name: 'Search look-alikes' }).click();
    await panel.getByRole('alert').getByText('Names are being made searchable.').waitFor();
    expect(await panel.textContent()).not.toContain('No list names');
    stack.faults.set([]);
    await panel.getByRole('button', { name: 'Try again' }).click();
    await panel.getByRole('link', { name: SLIP }).waitFor();
  }));

test('signed out, the page says what signing in adds, shows no empty panel and sends no request', () =>
  walk({ browser, stack }, async ({ page }) => {
    const before = stack.faults.seen.length;
    await page.goto(`/app/domain/${BRAND}`);
    await untilEnd(page);
    await page.getByText('Sign in to search threat lists for names that imitate this one.').waitFor();
    expect(await panelOf(page).count()).toBe(0);
    expect(stack.faults.seen.slice(before).filter(({ url }) => url.includes('/search'))).toEqual([]);
  }));
