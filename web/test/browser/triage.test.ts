import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Page, type Watched } from '../support/browser.ts';
import { buildDashboard } from '../support/build-dashboard.ts';
import {
  accuse,
  msFromEnterToVerdict,
  openHome,
  streamsOf,
  untilEnd,
  verdictOf,
  walk,
} from '../support/journey.ts';
import { type Stack, startStack } from '../support/stack.ts';

const BAD = Array.from({ length: 8 }, (_, n) => `45.155.205.${n + 10}`);
const [FIRST = '', SECOND = '', ...OTHERS] = BAD;

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  await accuse(stack, BAD);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** A page with a clipboard that the test may look into. */
const triage = (steps: (watched: Watched) => Promise<void>) =>
  walk({ browser, stack }, steps, { permissions: ['clipboard-read', 'clipboard-write'] });
const clipboardOf = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('paste, Enter, verdict, y: the ticket is on the clipboard, and no mouse was needed', () =>
  triage(async ({ page }) => {
    await openHome(page);
    await page.evaluate((text) => navigator.clipboard.writeText(text), '45.155.205[.]10');
    await page.keyboard.press('Control+V');
    await page.keyboard.press('Enter');
    await verdictOf(page).getByText('High risk', { exact: true }).waitFor();
    await untilEnd(page);
    expect(new URL(page.url()).pathname).toBe(`/app/ip/${FIRST}`);
    expect(await page.title()).toBe(`${FIRST} · High risk · Assay`);
    await page.keyboard.press('y');
    await page.getByText('Copied: Ticket summary').first().waitFor();
    const ticket = (await clipboardOf(page)).split('\n');
    expect(ticket).toHaveLength(6);
    expect(ticket[0]).toMatch(
      /^45\[\.\]155\[\.\]205\[\.\]10 \(IPv4 address\): High risk, risk \d+ of 100, confidence \d+/,
    );
    expect(ticket[4]).toContain('C2 Tracker');
    expect(ticket[5]).toMatch(/^Checked .* UTC with Assay: /);
    expect(ticket[5]).toContain(`${stack.url}/app/ip/${FIRST}`);
    expect(ticket.join('\n')).not.toContain('PROVISIONAL');
    await page.keyboard.press('Shift+Y');
    await page.getByText('Copied: Raw value').first().waitFor();
    expect(await clipboardOf(page)).toBe(FIRST);
  }));

test('a paste beside any field is a question too, and a list of two is offered to bulk triage', () =>
  triage(async ({ page }) => {
    await page.goto(`/app/ip/${FIRST}`);
    await untilEnd(page);
    await page.evaluate((text) => navigator.clipboard.writeText(text), SECOND);
    await page.keyboard.press('Control+V');
    await page.waitForURL(`**/app/ip/${SECOND}`);
    await untilEnd(page);
    await page.evaluate((text) => navigator.clipboard.writeText(text), `${FIRST}\n${SECOND}\n`);
    await page.keyboard.press('Control+V');
    await page.getByRole('button', { name: 'Check 2 in bulk' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/bulk');
    expect(await page.getByLabel('Text to read').inputValue()).toBe(`${FIRST}\n${SECOND}\n`);
  }));

test('the first verdict is there within a second of Enter, the median of five', () =>
  triage(async ({ page }) => {
    const took: number[] = [];
    await openHome(page);
    for (const value of OTHERS.slice(0, 5)) {
      await page.keyboard.press('/');
      await page.keyboard.insertText(value);
      took.push(await msFromEnterToVerdict(page));
      await untilEnd(page);
    }
    const median = Math.round(took.toSorted((a, b) => a - b)[2] ?? Number.NaN);
    console.log(`figure first-verdict-ms ${median}`);
    expect(median).toBeLessThan(1_000);
  }));

test('a verdict is called provisional until the check is done, in the ticket as well', () =>
  triage(async ({ page }) => {
    stack.faults.set([{ path: /check\/stream/, act: { kind: 'hold', afterEvents: 1 } }]);
    await page.goto(`/app/ip/${FIRST}`);
    await verdictOf(page).getByText('Provisional, step 1 of 4').waitFor();
    await verdictOf(page).getByText('High risk', { exact: true }).waitFor();
    expect(await page.title()).toBe(`${FIRST} · High risk · Assay`);
    await page.keyboard.press('y');
    await page.getByText('Copied: Ticket summary').first().waitFor();
    expect(await clipboardOf(page)).toContain('PROVISIONAL, the check had not finished.');
    stack.faults.set([]);
    await page.reload();
    await untilEnd(page);
    expect(await verdictOf(page).textContent()).not.toContain('Provisional');
  }));

test('a browser without a clipboard API copies the old way', () =>
  triage(async ({ page, context }) => {
    const other = await context.newPage();
    await other.goto('/app/');
    await other.evaluate(() => navigator.clipboard.writeText('nothing yet'));
    await page.bringToFront();
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined }),
    );
    await page.goto(`/app/ip/${FIRST}`);
    await untilEnd(page);
    await page.keyboard.press('y');
    await page.getByText('Copied: Ticket summary').first().waitFor();
    await other.bringToFront();
    expect(await clipboardOf(other)).toMatch(/^45\[\.\]155\[\.\]205\[\.\]10 \(IPv4 address\): High risk/);
  }));

test('a browser that lets no page copy gets the text to select', () =>
  triage(async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
      Object.defineProperty(document, 'execCommand', { configurable: true, value: () => false });
    });
    await page.goto(`/app/ip/${FIRST}`);
    await untilEnd(page);
    await page.keyboard.press('y');
    const text = page.getByLabel('This browser does not let the page copy');
    await text.waitFor();
    expect(await text.inputValue()).toMatch(/^45\[\.\]155\[\.\]205\[\.\]10 \(IPv4 address\): High risk/);
  }));

test('going back and forth shows finished checks at once, asks nobody and charges nothing', () =>
  triage(async ({ page }) => {
    await page.goto(`/app/ip/${FIRST}`);
    await untilEnd(page);
    await page.keyboard.press('/');
    await page.keyboard.insertText(SECOND);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: SECOND }).waitFor();
    await untilEnd(page);
    const before = streamsOf(stack).length;
    for (const [move, value] of [
      ['goBack', FIRST],
      ['goForward', SECOND],
      ['goBack', FIRST],
    ] as const) {
      await page[move]();
      await page.getByRole('heading', { level: 1, name: value }).waitFor();
      await untilEnd(page, 'done', 1_000);
      expect(await page.title()).toBe(`${value} · High risk · Assay`);
    }
    expect(streamsOf(stack)).toHaveLength(before);
    await page.keyboard.press('r');
    await page
      .locator('article[data-state="running"]')
      .waitFor({ timeout: 5_000 })
      .catch(() => undefined);
    await untilEnd(page);
    await page.getByRole('button', { name: 'Check again' }).click();
    await expect.poll(() => streamsOf(stack).length).toBe(before + 2);
    await untilEnd(page);
    await page.waitForTimeout(500);
    expect(streamsOf(stack)).toHaveLength(before + 2);
  }));

test('opening a page asks exactly once', () =>
  triage(async ({ page }) => {
    const before = streamsOf(stack).length;
    await page.goto(`/app/ip/${FIRST}`);
    await untilEnd(page);
    await page.waitForTimeout(500);
    expect(streamsOf(stack)).toHaveLength(before + 1);
  }));

test('a page that React mounts twice asks once all the same', async () => {
  const webDir = await mkdtemp(join(tmpdir(), 'assay-web-'));
  await buildDashboard(webDir, 'development');
  const strict = await startStack({ env: { WEB_DIR: webDir } });
  try {
    await walk({ browser, stack: strict }, async ({ page }) => {
      await page.goto(`/app/ip/${FIRST}`);
      await untilEnd(page);
      await page.waitForTimeout(500);
      await page.getByRole('button', { name: 'Check again' }).click();
      await expect.poll(() => streamsOf(strict).length).toBeGreaterThan(1);
      await untilEnd(page);
      await page.waitForTimeout(500);
      expect(streamsOf(strict)).toHaveLength(2);
    });
  } finally {
    await strict.stop();
    await rm(webDir, { recursive: true, force: true });
  }
});
