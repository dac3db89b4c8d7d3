import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enterPair, openBrowser, type Page, signIn } from '../support/browser.ts';
import { accuse, untilEnd, untilShown, walk } from '../support/journey.ts';
import { joinPlainStack } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

const BAD = ['45.155.205.30', '45.155.205.31', 'login-check.com'];
const BULK = /\/bulk\/check/;
/**
 * Three listed indicators, one of them twice and another defanged; a private address twice, an unlisted domain
 * and a mail address.
 */
const LOG = [
  '2026-11-15T10:00:00Z deny src=45.155.205.30 dst=192.168.1.20',
  '2026-11-15T10:00:01Z deny src=45.155.205.31 dst=192.168.1.20',
  '2026-11-15T10:00:02Z dns query login-check[.]com from 45.155.205.30',
  '2026-11-15T10:00:03Z mail from cmd@login-check.com by nobody-lists-this.com',
].join('\n');
/** 200 lines of a firewall: 50 from two listed addresses, 150 from unlisted ones, all to one private address. */
const LINES = Array.from({ length: 200 }, (_, n) => {
  const source = n < 50 ? BAD[n % 2] : `91.93.1.${n - 50}`;
  return `2026-11-15T10:${String(n % 60).padStart(2, '0')}:00Z deny src=${source} dst=192.168.1.20`;
});
/** More addresses than one bulk request of the BASIC plan may hold. */
const LONG = Array.from({ length: 120 }, (_, n) => `91.92.${Math.floor(n / 100)}.${n % 100}`).join('\n');

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([joinPlainStack(), openBrowser()]);
  await accuse(stack, BAD);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const results = (page: Page) => page.getByRole('region', { name: 'Results' });
const rows = (page: Page) => page.getByRole('table', { name: 'Checked indicators' }).locator('[data-row]');
const group = (page: Page, title: string) =>
  results(page).getByRole('region', { name: new RegExp(`^${title}: `) });
const clipboardOf = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const checked = (page: Page) => page.getByRole('progressbar', { name: 'Indicators checked' });
async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Text to read').fill(text);
}
const run = (page: Page) => page.keyboard.press('Control+Enter');
const bulkRequests = () => stack.faults.seen.filter(({ method, url }) => method === 'POST' && BULK.test(url));

test('a log is read, previewed, run, filtered by keyboard and saved as CSV and JSON', () =>
  walk({ browser, stack }, async ({ page }) => {
    await signIn(page, await stack.newPair('bulk@example.com'));
    await page.goto('/app/bulk');
    await write(page, LOG);
    const preview = page.getByRole('region', { name: 'Found in the text' });
    await preview.getByText('Private and reserved').waitFor();
    // Mail addresses are personal data, so they are checked on request only.
    await preview.getByLabel('Check E-mail addresses').check();
    await page
      .getByText(/^8 pasted, 2 duplicates, 1 private: 5 to check, 1 request, uses 5 of [\d,]+ checks left\.$/)
      .waitFor();
    const before = bulkRequests().length;
    await run(page);
    await results(page).getByText('5 indicators checked, 5 checks used.').waitFor();
    await results(page)
      .getByText('8 pasted, 2 duplicates, 1 private: 5 checked = 4 block + 0 look + 1 unknown + 0 ignore.')
      .waitFor();
    expect(bulkRequests()).toHaveLength(before + 1);
    await expect.poll(() => rows(page).count()).toBe(5);
    expect(await rows(page).first().textContent()).toContain('Malicious');

    const chip = results(page).getByRole('button', { name: /^Malicious 4/ });
    await chip.focus();
    await page.keyboard.press('Enter');
    await results(page).getByText('4 of 5 rows shown').waitFor();
    expect(new URL(page.url()).search).toBe('?verdict=malicious');
    expect(await chip.getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('Enter');
    await results(page).getByText('5 rows', { exact: true }).waitFor();

    const saving = page.waitForEvent('download');
    await page.keyboard.press('e');
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(/^bulk-check-.*\.csv$/);
    const csv = (await readFile(await saved.path(), 'utf8')).split('\r\n');
    expect(csv[0]).toMatch(/^entity,type,isMalicious,.*,word,malwareFamily,asn,.*,lastSeen$/);
    expect(csv).toHaveLength(7);
    // Three listed values, and the mailbox on one of them.
    expect(csv.filter((line) => line.includes(',Malicious,'))).toHaveLength(4);
    const savingJson = page.waitForEvent('download');
    await results(page).getByRole('button', { name: 'JSON' }).click();
    const json = JSON.parse(await readFile(await (await savingJson).path(), 'utf8')) as {
      entity: string;
      verdict: string;
    }[];
    expect(json).toHaveLength(5);
    expect(json.find(({ entity }) => entity === 'login-check.com')?.verdict).toBe('Malicious');
    expect(json.find(({ entity }) => entity === 'nobody-lists-this.com')?.verdict).toBe('Not listed');
  }));

test('by keyboard alone: 200 log lines become three groups, and what is to be blocked a firewall list and a ticket', () =>
  walk(
    { browser, stack },
    async ({ page }) => {
      await signIn(page, await stack.newPair('groups@example.com', 'ENTERPRISE'));
      await page.goto('/app/bulk');
      await page.evaluate((text) => navigator.clipboard.writeText(text), LINES.join('\n'));
      await page.getByLabel('Text to read').focus();
      await page.keyboard.press('Control+V');
      await page.getByText(/^400 pasted, 247 duplicates, 1 private: 152 to check, 1 request/).waitFor();
      await run(page);
      await results(page)
        .getByText(
          '400 pasted, 247 duplicates, 1 private: 152 checked = 2 block + 0 look + 150 unknown + 0 ignore.',
        )
        .waitFor();
      await group(page, 'Unknown').getByText("This doesn't mean they are safe.").waitFor();
      await page.keyboard.press('f');
      await results(page).getByText('2 values copied as a firewall list.').waitFor();
      expect((await clipboardOf(page)).split('\n').toSorted()).toEqual(['', ...BAD.slice(0, 2)]);
      await page.keyboard.press('t');
      await results(page).getByText('2 indicators copied as a ticket.').waitFor();
      const ticket = await clipboardOf(page);
      expect(ticket).toContain('- 45[.]155[.]205[.]30: Malicious');
      expect(ticket).not.toContain('45.155.205.30');
      const unknown = group(page, 'Unknown').getByRole('button', { name: /^Unknown/ });
      await unknown.focus();
      await page.keyboard.press('Enter');
      await results(page).getByText('150 of 152 rows shown').waitFor();
      expect(new URL(page.url()).search).toBe('?group=unknown');
      expect(
        await group(page, 'Unknown')
          .getByRole('button', { name: /firewall/ })
          .count(),
      ).toBe(0);
    },
    CLIPBOARD,
  ));

test('a reload keeps the rows without a request, another tab shows them, and signing out forgets them everywhere', () =>
  walk({ browser, stack }, async ({ page, context }) => {
    await signIn(page, await stack.newPair('reload@example.com'));
    await page.goto('/app/bulk');
    await write(page, LOG);
    await page.getByText(/4 to check/).waitFor();
    await run(page);
    const sum = /: 4 checked = 3 block \+ 0 look \+ 1 unknown \+ 0 ignore\.$/;
    await results(page).getByText(sum).waitFor();
    await results(page).getByText('Kept in this tab until you close it or sign out').waitFor();
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('assay.bulk-rows-0'))).not.toBeNull();
    const before = bulkRequests().length;
    await page.reload();
    await results(page).getByText(sum).waitFor();
    await results(page).getByText('4 indicators checked, 4 checks used.').waitFor();
    await expect.poll(() => rows(page).count()).toBe(4);
    await page.getByRole('button', { name: 'Show the text' }).click();
    await expect.poll(() => page.getByLabel('Text to read').inputValue()).toBe(LOG);
    const other = await context.newPage();
    await other.goto(new URL('/app/bulk?group=block', page.url()).href);
    await results(other).getByText('3 of 4 rows shown').waitFor();
    expect(bulkRequests()).toHaveLength(before);
    await other.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [other, page]) {
      await results(tab).waitFor({ state: 'detached' });
      await expect.poll(() => tab.getByLabel('Text to read').inputValue()).toBe('');
      expect(
        await tab.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('bulk'))),
      ).toEqual([]);
    }
  }));

test('a reload in the middle of a run keeps the rows that came and goes on with the rest', () =>
  walk(
    { browser, stack },
    async ({ page }) => {
      await signIn(page, await stack.newPair('middle@example.com', 'BASIC'));
      await page.goto('/app/bulk');
      await write(page, LONG);
      await page.getByText(/^120 pasted/).waitFor();
      stack.faults.set([{ path: BULK, afterRequests: 1, act: { kind: 'hang' } }]);
      await run(page);
      await expect.poll(() => checked(page).getAttribute('aria-valuenow')).toBe('50');
      await expect
        .poll(() => page.evaluate(() => sessionStorage.getItem('assay.bulk-rows-0')))
        .not.toBeNull();
      // Disables the browser's question whether to leave the page, as if the reader had confirmed it.
      await page.evaluate(() => {
        BeforeUnloadEvent.prototype.preventDefault = () => undefined;
      });
      await page.reload();
      await results(page)
        .getByText(/120 to check = .* \+ 70 to come\.$/)
        .waitFor();
      stack.faults.set([]);
      const before = bulkRequests().length;
      await results(page).getByRole('button', { name: 'Go on from 51' }).click();
      await results(page).getByText('120 indicators checked, 120 checks used.').waitFor();
      expect(bulkRequests()).toHaveLength(before + 2);
    },
    { isAlone: true },
  ));

test('a cell that a spreadsheet would execute as a formula is saved as text', () =>
  walk({ browser, stack }, async ({ page }) => {
    await signIn(page, await stack.newPair('formula@example.com'));
    await page.goto('/app/bulk');
    await write(page, 'login-check.com');
    await page.getByText(/^1 pasted:/).waitFor();
    const row = {
      entity: 'login-check.com',
      type: 'domain',
      isMalicious: true,
      sources: 1,
      categories: ['=HYPERLINK("https://evil.example")', 'c2'],
      evidence: null,
      error: '@SUM(1,2)',
    };
    const reply = { results: [row], processed: 1, total: 1 };
    stack.faults.set([{ path: BULK, act: { kind: 'answer', status: 200, body: reply } }]);
    await run(page);
    await results(page).getByText('1 indicator checked').waitFor();
    // Waits for the row, because an export contains only visible rows and the count is drawn before them.
    await expect.poll(() => rows(page).count()).toBe(1);
    const saving = page.waitForEvent('download');
    await page.keyboard.press('e');
    const csv = await readFile(await (await saving).path(), 'utf8');
    expect(csv).toContain(`,"'=HYPERLINK(""https://evil.example"");c2",`);
    expect(csv).toContain(`,"'@SUM(1,2)"`);
  }));

test('j, x and Enter work on rows, [ and ] on pages, and going back restores the table', () =>
  walk({ browser, stack }, async ({ page }) => {
    await signIn(page, await stack.newPair('walk@example.com'));
    await page.goto('/app/bulk');
    await write(page, BAD.join('\n'));
    await page.getByText(/^3 pasted:/).waitFor();
    await run(page);
    await results(page).getByText('3 indicators checked').waitFor();
    await page.getByRole('button', { name: 'Indicator' }).click();
    await page.waitForURL('**/app/bulk?sort=indicator');
    // Waits for the order of the rows, because they are sorted after the address has changed.
    await expect.poll(() => page.locator('[data-row-focus]').allTextContents()).toEqual(BAD);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await results(page).getByText('1 selected').waitFor();
    await page.keyboard.press('j');
    await page.locator('[data-row="1"] a:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/app/ip/${BAD[1]}`);
    const steps = page.getByRole('navigation', { name: 'Bulk list' });
    await steps.getByText('2 of 3').waitFor();
    await untilEnd(page);
    await page.keyboard.press(']');
    await page.waitForURL('**/app/domain/login-check.com');
    await steps.getByText('3 of 3').waitFor();
    await untilEnd(page);
    await page.keyboard.press('[');
    await page.waitForURL(`**/app/ip/${BAD[1]}`);
    await steps.getByText('2 of 3').waitFor();
    await page.keyboard.press('[');
    await page.waitForURL(`**/app/ip/${BAD[0]}`);
    await untilShown(page, BAD[0] ?? '');
    await untilEnd(page);
    const before = bulkRequests().length;
    for (let n = 0; n < 4; n += 1) await page.goBack();
    await page.waitForURL('**/app/bulk?sort=indicator');
    await results(page).getByText('1 selected').waitFor();
    await expect.poll(() => rows(page).count()).toBe(3);
    expect(bulkRequests()).toHaveLength(before);
  }));

/** In seconds. The page's clock is moved over it, so it is longer than any step of the test takes. */
const REFUSED_FOR_S = 300;
const REFUSAL = {
  kind: 'answer',
  status: 429,
  headers: { 'retry-after': `${REFUSED_FOR_S}` },
  body: {
    error: 'Rate Limited',
    message: 'Used up.',
    plan: 'BASIC',
    retryAfter: REFUSED_FOR_S,
    rateLimit: { limit: 1, remaining: 0, resetAt: '2026-01-01T00:00:00.000Z' },
  },
} as const;

test('a burst refusal in the middle of a list counts down, keeps the rows and resumes by itself', () =>
  walk(
    { browser, stack },
    async ({ page }) => {
      await page.clock.install();
      await signIn(page, await stack.newPair('paced-bulk@example.com', 'BASIC'));
      await page.goto('/app/bulk');
      await write(page, LONG);
      await page.getByText(/^120 pasted: 120 to check, 3 requests/).waitFor();
      stack.faults.set([{ path: BULK, afterRequests: 1, act: REFUSAL }]);
      await run(page);
      const left = (minutes: number) =>
        results(page).getByText(`It goes on by itself in ${minutes} min; waiting costs nothing.`);
      await left(5).waitFor();
      await expect.poll(() => checked(page).getAttribute('aria-valuenow')).toBe('50');
      await expect.poll(() => rows(page).count()).toBeGreaterThan(5);
      await page.clock.fastForward(120_000);
      await left(3).waitFor();
      stack.faults.set([]);
      await page.clock.fastForward(180_000);
      await results(page).getByText('120 indicators checked, 120 checks used.').waitFor();
    },
    { isAlone: true },
  ));

test('a connection that breaks in the middle keeps the rows and resumes from there', () =>
  walk({ browser, stack }, async ({ page }) => {
    await signIn(page, await stack.newPair('broken-bulk@example.com', 'BASIC'));
    await page.goto('/app/bulk');
    await write(page, LONG);
    await page.getByText(/^120 pasted/).waitFor();
    stack.faults.set([{ path: BULK, afterRequests: 1, act: { kind: 'refuse' } }]);
    await run(page);
    await results(page).getByRole('alert').getByText('The service did not answer').waitFor();
    await expect.poll(() => checked(page).getAttribute('aria-valuenow')).toBe('50');
    await expect.poll(() => rows(page).count()).toBeGreaterThan(5);
    stack.faults.set([]);
    await results(page).getByRole('button', { name: 'Go on from 51' }).click();
    await results(page).getByText('120 indicators checked').waitFor();
  }));

test('signed out, the page parses the text, explains the sign-in, and keeps the text through it', () =>
  walk({ browser, stack }, async ({ page }) => {
    await page.goto('/app/bulk');
    await write(page, LOG);
    await page.getByText('Running a list needs a sign-in').waitFor();
    await page.getByText(/^8 pasted, 2 duplicates, 1 private/).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await enterPair(page, await stack.newPair('later@example.com'));
    await page.waitForURL('**/app/bulk');
    await expect.poll(() => page.getByLabel('Text to read').inputValue()).toBe(LOG);
    await page.getByText(/^8 pasted, 2 duplicates, 1 private.*: 4 to check, 1 request/).waitFor();
    await run(page);
    await results(page).getByText('4 indicators checked, 4 checks used.').waitFor();
  }));
