import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../server/test/support/eventually.ts';
import {
  enterPair,
  openBrowser,
  openPage,
  type Page,
  PHONE,
  signIn,
  type Watched,
} from '../support/browser.ts';
import { openHome, untilShown, verdictOf, walk } from '../support/journey.ts';
import { axe, sidewaysOf } from '../support/page-rules.ts';
import { joinPlainStack, joinSampleStacks, type SampleStacks } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

const SOURCE = 'sample-c2-servers';
const FAMILY = 'Samplestealer';
const [ASN, RANGE] = ['64496', '6.20.14.0/24'];
const LISTED = 'mallory.invoices@login-check.com';
const WALLET = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';

let samples: SampleStacks;
let plain: Stack;
let browser: Browser;
beforeAll(async () => {
  [samples, plain, browser] = await Promise.all([joinSampleStacks(), joinPlainStack(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await samples?.stop();
  await plain?.stop();
});

type Cookies = Awaited<ReturnType<Watched['context']['cookies']>>;
const sessions = new Map<Stack, Promise<Cookies>>();
/** One session for each service: signing in costs more than most of these walks. */
async function sessionOf(stack: Stack): Promise<Cookies> {
  const visitor = await openPage(browser, stack.url);
  await signIn(visitor.page, await stack.newPair('context@example.com'));
  const cookies = await visitor.context.cookies();
  await visitor.close();
  return cookies;
}
async function signedIn(stack: Stack, steps: (watched: Watched) => Promise<void>): Promise<void> {
  const session = sessions.get(stack) ?? sessionOf(stack);
  sessions.set(stack, session);
  await walk({ browser, stack }, steps, { cookies: await session });
}

const ready = (page: Page) => page.locator('article [data-state="ready"]').first().waitFor();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

describe('pages around an indicator', () => {
  test('each leads on: a network to its ranges, to families, to sources, and back to a value', () =>
    signedIn(samples.answering, async ({ page }) => {
      await page.goto(`/app/asn/AS${ASN}`);
      await page.getByText(`AS${ASN} is an autonomous system, Sample Hosting Main`).waitFor();
      await page.getByRole('heading', { name: 'By level' }).waitFor();
      await page.locator('a[href^="/app/network/6.20."]').first().click();
      await page.waitForURL(/\/app\/network\/6\.20\./);
      await page.getByText('Who announces it').waitFor();
      await page.getByRole('link', { name: `AS${ASN}`, exact: true }).waitFor();
      await page.goto(`/app/family/${FAMILY.toLowerCase()}`);
      await heading(page, FAMILY);
      await page.getByRole('link', { name: 'Sample: C2 servers' }).click();
      await page.waitForURL(`**/app/source/${SOURCE}`);
      await heading(page, 'Sample: C2 servers');
      await page.getByText('still listed on').waitFor();
      await page.getByText('Licence: Invented data, free to use').waitFor();
      await page.getByRole('link', { name: FAMILY, exact: true }).first().waitFor();
      const value = page.getByRole('row').nth(1).getByRole('link').first();
      const text = (await value.textContent()) ?? '';
      await value.click();
      await untilShown(page, text);
    }));

  test('more values come on request, the order is in the address, and what is shown can be copied', () =>
    signedIn(samples.answering, async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(`/app/source/${SOURCE}`);
      await ready(page);
      await expect.poll(() => page.locator('tbody th').count()).toBe(100);
      const before = await page.locator('tbody th').allTextContents();
      await page.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(() => page.locator('tbody th').count()).toBe(200);
      const after = await page.locator('tbody th').allTextContents();
      expect(after.slice(0, 100)).toEqual(before);
      expect(new Set(after).size).toBe(200);
      await page.keyboard.press('y');
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toBe(`${after.join('\n')}\n`);
      await page.getByRole('button', { name: 'Newest first' }).click();
      await page.waitForURL('**?order=newest');
      await page
        .getByText(/^reported/)
        .first()
        .waitFor();
    }));

  test('a list that fails in the middle keeps what is shown and can go on', () =>
    signedIn(samples.answering, async ({ page }) => {
      await page.goto(`/app/source/${SOURCE}`);
      await ready(page);
      const body = { error: 'Service Unavailable', message: 'Reading the members took too long.' };
      samples.answering.faults.set([{ path: /cursor=/, act: { kind: 'answer', status: 503, body } }]);
      await page.getByRole('button', { name: 'Show more' }).click();
      await page.getByRole('alert').getByText('Reading the members took too long.').waitFor();
      expect(await page.locator('tbody th').count()).toBe(100);
      samples.answering.faults.set([]);
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => page.locator('tbody th').count()).toBe(200);
    }));

  test('the keyboard reaches a value, and a phone shows the table without scrolling sideways', () =>
    signedIn(samples.answering, async ({ page }) => {
      await page.goto(`/app/network/${RANGE}`);
      await ready(page);
      expect(await axe(page)).toEqual([]);
      await page.getByRole('button', { name: /^Copy these values/ }).focus();
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toMatch(
        /^\/app\/ip\/6\.20\.14\./,
      );
      await page.setViewportSize(PHONE);
      await expect.poll(() => sidewaysOf(page)).toEqual([]);
    }));

  test('an address that cannot be answered says what is wrong or missing, and what is wanted', () =>
    signedIn(samples.answering, async ({ page }) => {
      for (const [path, said, wanted] of [
        ['asn/cloudflare', 'This is not the number of an autonomous system.', '/asn/13335'],
        ['network/10.0.0.0/8', 'is set aside: Private use (RFC 1918)', '/network/185.220.101.0/24'],
        ['network/6.0.0.0/8', 'is too wide', 'IPv4 from /16'],
        ['network/6.20.14.66', 'This is a single value', 'Open the page of'],
        ['source/no-such-list', "Source 'no-such-list'", '/source/urlhaus'],
        ['family/nobody-names-this', "Family 'nobody-names-this'", '/family/remcos'],
        ['network/214.90.18.0/24', 'That is not a clean bill', 'Nothing is listed in this range'],
      ] as const) {
        await page.goto(`/app/${path}`);
        await page.getByText(said).first().waitFor();
        await page.getByText(wanted).first().waitFor();
      }
    }));

  test('a private range sends nothing, and signed out neither does a page', () =>
    walk({ browser, stack: plain }, async ({ page }) => {
      const before = plain.faults.seen.length;
      await page.goto('/app/network/192.168.0.0/16');
      await page.getByText('nothing was sent').waitFor();
      await page.goto('/app/family/remcos');
      await page
        .locator('article [data-state="signed-out"]')
        .getByRole('link', { name: 'Sign in' })
        .waitFor();
      const asked = plain.faults.seen.slice(before).map(({ url }) => url);
      expect(asked.filter((url) => url.includes('/threat-intel/'))).toEqual([]);
    }));
});

describe('the box leads to the page that answers', () => {
  test.each([
    ['AS64496', '/app/asn/64496'],
    ['6.20.14.9/24', '/app/network/6.20.14.0/24'],
  ])('%s', (typed, path) =>
    walk({ browser, stack: plain }, async ({ page }) => {
      await openHome(page);
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${path}`);
    }),
  );

  test('a CVE is answered by a sentence, and nothing opens', () =>
    walk({ browser, stack: plain }, async ({ page }) => {
      await openHome(page);
      await page.keyboard.type('CVE-2024-3094');
      await page.keyboard.press('Enter');
      await page.getByText('programs ask GET /cve/').first().waitFor();
      expect(new URL(page.url()).pathname).toBe('/app/');
    }));
});

describe('contacts', () => {
  beforeAll(async () => {
    await plain.list('bad-contacts', [LISTED], {
      name: 'Bad contacts',
      category: 'phishing',
      categories: ['phishing'],
      threatClass: 'threat',
      fpRisk: 'low',
      reliability: 0.95,
      letter: 'A',
      entityTypes: ['email'],
    });
    const { credential } = await plain.accounts.newAccount('contacts-known@example.com');
    await eventually('the service knows the address', 30_000, async () => {
      const answer = await fetch(`${plain.service.url}/check/email?enrichment=fast&email=${LISTED}`, {
        headers: { 'X-API-KEY': credential },
      });
      return ((await answer.json()) as { listings?: { listed: boolean } }).listings?.listed === true;
    });
  });

  test('an address is judged with reasons and an action, and no request line, title or storage names it', () =>
    signedIn(plain, async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const before = plain.faults.seen.length;
      await openHome(page);
      await page.keyboard.type(LISTED);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/app/contact#email=*');
      await untilShown(page, LISTED);
      await verdictOf(page).getByText('Do:').waitFor();
      expect(await verdictOf(page).locator('[data-tone]').first().textContent()).toMatch(
        /Malicious|Critical risk|High risk|Suspicious/,
      );
      await page.keyboard.press('y');
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toContain('mallory.invoices[@]login-check[.]com (E-mail address): ');
      expect(await axe(page)).toEqual([]);
      await page.setViewportSize(PHONE);
      await expect.poll(() => sidewaysOf(page)).toEqual([]);
      // A reload keeps the contact, because it is in the fragment of the address.
      await page.reload();
      await verdictOf(page).getByText('Do:').waitFor();
      const lines = plain.faults.seen.slice(before).map(({ url }) => decodeURIComponent(url));
      expect(lines.filter((line) => line.includes('mallory'))).toEqual([]);
      expect(lines.some((line) => line.startsWith('/api/analyze'))).toBe(true);
      const kept = await page.evaluate(() =>
        JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
      );
      expect([await page.title(), kept].filter((text) => text.includes('mallory'))).toEqual([]);
    }));

  test('an unlisted phone number and wallet are not called clean, and a wallet is kept while its reader signs in', () =>
    walk({ browser, stack: plain }, async ({ page }) => {
      await openHome(page);
      await page.keyboard.type(WALLET);
      await page.keyboard.press('Enter');
      await page.locator('article [data-state="signed-out"]').getByRole('link', { name: 'Sign in' }).click();
      await page.waitForURL('**/app/sign-in?next=%2Fcontact');
      await enterPair(page, await plain.newPair('contacts-later@example.com'));
      await untilShown(page, WALLET);
      await verdictOf(page).getByText('Not listed').waitFor();
      await page.getByLabel('Indicator to check').fill('+1 415 555 2671');
      await page.keyboard.press('Enter');
      await untilShown(page, '+14155552671');
      await verdictOf(page).getByText('Not listed').waitFor();
      expect(await page.locator('main').textContent()).not.toMatch(/\bsafe\b/i);
      await page.goBack();
      await untilShown(page, WALLET);
    }));
});
