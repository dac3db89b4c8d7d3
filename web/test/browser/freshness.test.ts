import type { DataFreshness, PublicStats } from '@assay/sdk';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exact, plural, short } from '../../src/words/numbers.ts';
import { openBrowser, PHONE, signIn, type Watched } from '../support/browser.ts';
import { walk } from '../support/journey.ts';
import { axe, sidewaysOf } from '../support/page-rules.ts';
import { joinSampleStacks, type SampleStacks } from '../support/shared-stack.ts';

type Cookies = Awaited<ReturnType<Watched['context']['cookies']>>;

let stacks: SampleStacks;
let browser: Browser;
let cookies: Cookies;
beforeAll(async () => {
  [stacks, browser] = await Promise.all([joinSampleStacks(), openBrowser()]);
  await walk({ browser, stack: stacks.answering }, async ({ page, context }) => {
    await signIn(page, await stacks.answering.newPair('sources@example.com'));
    cookies = await context.cookies();
  });
});
afterAll(async () => {
  await browser?.close();
  await stacks?.stop();
});

const needsKey = 'This source needs a key: set EXAMPLE_KEY.';
/** As many sources as a real deployment has, in every state. */
const MANY: DataFreshness = {
  generatedAt: new Date().toISOString(),
  overallStatus: 'degraded',
  actions: [],
  sourceCount: 201,
  datasets: Array.from({ length: 219 }, (_, nth) => {
    const status = nth < 12 ? 'failing' : nth < 30 ? 'missing' : nth < 40 ? 'stale' : 'fresh';
    const problems = {
      failing: { cause: 'key', reason: needsKey },
      missing: { cause: 'waiting', reason: 'It has never been loaded.' },
      stale: { cause: 'old', reason: 'Its data is older than the interval it promises allows.' },
      fresh: { cause: null, reason: null },
    } as const;
    return {
      id: `list-${nth}`,
      label: `List number ${nth}`,
      status,
      lastUpdatedAt: status === 'missing' ? null : new Date().toISOString(),
      ageHours: status === 'missing' ? null : nth,
      slaHours: 336,
      records: status === 'missing' ? null : 1_000 + nth,
      message: problems[status].reason,
      category: nth % 2 === 0 ? 'phishing' : 'c2',
      threatClass: nth % 9 === 0 ? 'allowlist' : 'threat',
      movedDays: 0,
      ...problems[status],
    };
  }),
};

const onPage = (
  steps: (watched: Watched) => Promise<void>,
  { isMany = true, ...options }: { isMany?: boolean } & BrowserContextOptions = {},
) =>
  walk(
    { browser, stack: stacks.answering },
    async (watched) => {
      if (isMany)
        stacks.answering.faults.set([
          { path: /data-freshness/, act: { kind: 'answer', status: 200, body: MANY } },
        ]);
      await steps(watched);
    },
    { cookies, ...options },
  );

const rows = 'tbody tr[data-source]';

test('219 sources are grouped, each reason is said once, and a source leads to its page', () =>
  onPage(async ({ page }) => {
    await page.goto('/app/status/data');
    await page.locator(rows).first().waitFor();
    expect(await page.locator(rows).count()).toBe(219);
    expect(await page.locator('main h2').allTextContents()).toEqual(
      expect.arrayContaining([' Failing 12', ' Never loaded 18', ' Late 10', ' Fresh 179']),
    );
    expect(await page.getByText(needsKey).count()).toBe(1);
    await page.getByText(`12 sources: ${needsKey}`).waitFor();
    const link = page.getByRole('link', { name: 'List number 7', exact: true });
    expect(await link.getAttribute('href')).toBe('/app/source/list-7');
  }));

test('the search and the filters are in the address and survive a reload, a link and the keyboard', () =>
  onPage(async ({ page }) => {
    await page.goto('/app/status/data');
    await page.locator(rows).first().waitFor();
    await page.getByRole('searchbox', { name: 'Find a source' }).focus();
    await page.keyboard.type('number 20');
    await expect.poll(() => page.locator(rows).count()).toBe(12);
    await page.getByText('12 of 219 sources are shown.').waitFor();
    await page.waitForURL('**/app/status/data?q=number+20');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/status/data?q=number+20&state=missing');
    await expect.poll(() => page.locator(rows).count()).toBe(1);
    await page.reload();
    await expect.poll(() => page.locator(rows).count()).toBe(1);
    expect(await page.getByRole('searchbox').inputValue()).toBe('number 20');
    expect(await page.getByRole('button', { name: /Never loaded/ }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.waitForURL('**/app/status/data');
    await expect.poll(() => page.locator(rows).count()).toBe(219);
    await page.goto('/app/status/data?kind=allowlist&q=nowhere');
    await page.getByText('0 of 219 sources are shown.').waitFor();
    await page.getByText('No source in use has this name, state and kind.').waitFor();
  }));

test('on a phone 219 sources fit, no rule of WCAG is broken, and the reasons are there', () =>
  onPage(
    async ({ page }) => {
      await page.goto('/app/status/data');
      await page.locator(rows).first().waitFor();
      expect(await sidewaysOf(page)).toEqual([]);
      expect(await axe(page)).toEqual([]);
      await page.getByText(`12 sources: ${needsKey}`).waitFor();
    },
    { viewport: PHONE, hasTouch: true },
  ));

test('every page says the same number of indicators and sources as /stats', () =>
  onPage(
    async ({ page }) => {
      const stats = (await (await fetch(`${stacks.answering.service.url}/stats`)).json()) as PublicStats;
      const { indicators, sourceCount } = stats;
      expect(indicators).toBeGreaterThan(0);
      const main = page.locator('main');
      await page.goto('/app/');
      await main.getByText(`${short(indicators)} listed indicators`).waitFor();
      await main.getByRole('link', { name: plural(sourceCount, 'source') }).click();
      await main.getByText(`${exact(sourceCount)} of them have data`).waitFor();
      await main.getByRole('link', { name: plural(indicators, 'indicator') }).click();
      await page.waitForURL('**/app/overview');
      await main.getByRole('link', { name: plural(indicators, 'indicator') }).waitFor();
      await main.getByRole('link', { name: plural(sourceCount, 'source') }).waitFor();
      await page.context().clearCookies();
      await page.goto('/app/status/data');
      await main.getByText(`${plural(sourceCount, 'source')} with data`).waitFor();
      await main.getByText(`Together they list ${plural(indicators, 'indicator')}.`).waitFor();
    },
    { isMany: false },
  ));

test('the home page offers an address that this corpus accuses, and its check says so', () =>
  walk({ browser, stack: stacks.answering }, async ({ page }) => {
    await page.goto('/app/');
    const example = page.locator('li').filter({ hasText: /An address that \d+ sources? accuses?/ });
    await example.getByRole('link').click();
    await page.locator('article[data-state="done"]').waitFor();
    const verdict = page.getByRole('region', { name: 'Verdict' });
    expect(await verdict.textContent()).toMatch(/Malicious|Critical risk|High risk/);
  }));

test('on an empty corpus the home page says that nothing is listed, and accuses nobody', () =>
  walk({ browser, stack: stacks.answering }, async ({ page }) => {
    const nothing = {
      totalThreats: 0,
      indicators: 0,
      sourceCount: 0,
      freshSourceCount: 0,
      accusedExample: null,
    };
    stacks.answering.faults.set([
      { path: /^\/api\/stats/, act: { kind: 'answer', status: 200, body: nothing } },
    ]);
    await page.goto('/app/');
    await page.getByText('An accused address would stand here: nothing is listed yet.').waitFor();
    expect(await page.locator('main li a').count()).toBe(3);
  }));
