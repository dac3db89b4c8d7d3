import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../../../server/test/support/eventually.ts';
import { openPage, type PageOptions, type Watched } from './browser.ts';
import type { SeenRequest } from './fault-proxy.ts';
import type { Stack } from './stack.ts';

type ListSettings = NonNullable<Parameters<Stack['list']>[2]>;

/** A tracker that verifies each entry, so that its entries are malicious. */
const SURE: ListSettings = {
  name: 'C2 Tracker',
  category: 'c2',
  categories: ['c2', 'botnet'],
  threatClass: 'threat',
  fpRisk: 'low',
  reliability: 0.95,
  letter: 'A',
  signal: 'scanner',
  intervalS: 21_600,
};
const WELL_KNOWN: ListSettings = {
  ...SURE,
  signal: 'feed',
  name: 'Botnet Watch',
  category: 'botnet',
  categories: ['botnet'],
};

/** Adds the values to two threat lists and waits until the service answers with them. */
export async function accuse(stack: Stack, values: readonly string[]): Promise<void> {
  const { credential } = await stack.accounts.newAccount(`lists-${Date.now()}@example.com`, {
    plan: 'ENTERPRISE',
  });
  await stack.list('c2-tracker', values, SURE);
  await stack.list('botnet-watch', values, WELL_KNOWN);
  const last = encodeURIComponent(values.at(-1) ?? '');
  await eventually('the service knows the lists', 30_000, async () => {
    const answer = await fetch(`${stack.service.url}/check?query=${last}`, {
      headers: { 'X-API-KEY': credential },
    });
    return ((await answer.json()) as { blocklistHits?: number }).blocklistHits === 2;
  });
}

export const streamsOf = (stack: Stack): readonly SeenRequest[] =>
  stack.faults.seen.filter(({ url }) => url.includes('/check/stream'));

export const verdictOf = (page: Page): Locator => page.getByRole('region', { name: 'Verdict' });

export const untilEnd = (page: Page, kind: 'done' | 'cut' | 'refused' = 'done'): Promise<void> =>
  page.locator(`article[data-state="${kind}"]`).waitFor();

/** Opens the first page. Its box takes the focus by itself, when the page listens to keys, pastes and drops. */
export async function openHome(page: Page): Promise<void> {
  await page.goto('/app/');
  await page.locator('input[aria-label="Indicator to check"]:focus').waitFor();
}

export async function msFromEnterToVerdict(page: Page): Promise<number> {
  await page.evaluate(watchForVerdict);
  await page.keyboard.press('Enter');
  const took = await page.waitForFunction(() => (globalThis as { verdictMs?: number }).verdictMs);
  return (await took.jsonValue()) ?? Number.NaN;
}

/** Tells whether the verdict that `msFromEnterToVerdict` waited for was provisional when it was drawn. */
export const cameProvisional = (page: Page): Promise<boolean | undefined> =>
  page.evaluate(() => (globalThis as { isProvisional?: boolean }).isProvisional);

/** Runs in the page: notes the time from Enter to the first verdict. */
function watchForVerdict(): void {
  const noted = globalThis as { verdictMs?: number | undefined; isProvisional?: boolean };
  noted.verdictMs = undefined;
  let startedMs = Number.NaN;
  const onKey = ({ key }: KeyboardEvent): void => {
    if (key === 'Enter') startedMs = performance.now();
  };
  document.addEventListener('keydown', onKey, { capture: true, once: true });
  const before = document.querySelector('h1')?.textContent;
  new MutationObserver((_, observer) => {
    const word = document.querySelector(
      'section[aria-label="Verdict"] [data-tone]:not([data-tone="neutral"])',
    );
    if (word === null || document.querySelector('h1')?.textContent === before) return;
    observer.disconnect();
    noted.isProvisional = word.closest('[data-provisional]') !== null;
    noted.verdictMs = performance.now() - startedMs;
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}

/** Sends the keys of a sequence at once, because the page allows little time between them. */
export async function pressSequence(page: Page, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}

/** Waits until the page of this indicator is drawn: its address changes first. */
export const untilShown = (page: Page, value: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: value, exact: true }).waitFor();

/** One walk through the dashboard in its own browser profile, on a service without faults. */
export async function walk(
  { browser, stack }: { readonly browser: Browser; readonly stack: Stack },
  steps: (watched: Watched) => Promise<void>,
  options: PageOptions = {},
): Promise<void> {
  stack.faults.set([]);
  const watched = await openPage(browser, stack.url, options);
  const refused: string[] = [];
  watched.page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  try {
    await steps(watched);
    expect(watched.offences).toEqual([]);
  } catch (error) {
    if (error instanceof Error)
      error.message += `\n${await shownBy(watched.page)}\n${refused.join('\n')}\n${watched.offences.join('\n')}`;
    throw error;
  } finally {
    stack.faults.set([]);
    await watched.close();
  }
}

/** Waits until the page is drawn and idle, so that every request it would send is sent. */
export async function untilIdle(page: Page): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1)
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          // On busy cores a page may be drawn and never be idle.
          requestAnimationFrame(() => requestIdleCallback(() => resolve(), { timeout: 10_000 }));
        }),
    );
}

async function shownBy(page: Page): Promise<string> {
  const shown = await page.locator('main').ariaSnapshot({ timeout: 2_000 }).catch(String);
  return `The page at ${page.url()} showed:\n${shown}`;
}
