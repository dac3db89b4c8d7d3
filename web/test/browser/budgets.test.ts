import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { accuse, streamsOf, untilEnd, verdictOf } from '../support/journey.ts';
import { type Stack, startStack } from '../support/stack.ts';

/** In kB of 1,000 bytes, as gzip -9 sends it. */
const BUDGET = {
  entry: 120,
  criticalPath: 140,
  code: 45,
  /** Lists and outlines: no code, and none of it is there before the first answer. */
  data: 50,
  styles: 14,
  fonts: 52,
  everything: 650,
} as const;
const DATA = /^(?:countries-110m|public-suffixes)-/;

const LISTED = '185.220.101.34';
/** Longer than the page takes to load and shorter than it takes to fetch what can wait. */
const ANSWER_AFTER_MS = 700;

const assets = join(inject('webDir'), 'assets');
const names = readdirSync(assets);
const packed = (name: string): number =>
  gzipSync(readFileSync(join(assets, name)), { level: 9 }).length / 1_000;
const sum = (files: Iterable<string>): number => [...files].reduce((total, name) => total + packed(name), 0);
const scripts = names.filter((name) => name.endsWith('.js'));
const styles = names.filter((name) => name.endsWith('.css'));

type Part = { readonly file: string; readonly imports?: readonly string[] };
const manifest = JSON.parse(readFileSync(join(inject('webDir'), '.vite/manifest.json'), 'utf8')) as Record<
  string,
  Part
>;
/** A part and all it cannot run without. */
function closureOf(key: string, seen = new Set<string>()): ReadonlySet<string> {
  const part = manifest[key];
  if (part === undefined || seen.has(part.file)) return seen;
  seen.add(part.file.replace('assets/', ''));
  for (const needed of part.imports ?? []) closureOf(needed, seen);
  return seen;
}

const say = (what: string, kB: number): void =>
  void process.stdout.write(`figure ${what} ${kB.toFixed(1)}\n`);

describe('what is shipped', () => {
  test('the entry, with all it cannot run without, is at most 120 kB', () => {
    const size = sum(closureOf('index.html'));
    say('web-entry-kb', size);
    expect(size).toBeGreaterThan(50);
    expect(size).toBeLessThanOrEqual(BUDGET.entry);
  });

  test('no other script is over 45 kB, and no list or outline over 50 kB', () => {
    const later = scripts.filter((name) => !name.startsWith('index-'));
    expect(scripts.length - later.length).toBe(1);
    expect(later.filter((name) => DATA.test(name))).toHaveLength(2);
    const heavy = later.filter((name) => packed(name) > (DATA.test(name) ? BUDGET.data : BUDGET.code));
    expect(heavy).toEqual([]);
  });

  test('all styles together are at most 14 kB, the fonts 52 kB, and everything 650 kB', () => {
    expect(styles.length).toBeGreaterThan(0);
    say('web-styles-kb', sum(styles));
    expect(sum(styles)).toBeLessThanOrEqual(BUDGET.styles);
    const fonts = names.filter((name) => name.endsWith('.woff2'));
    expect(fonts).toHaveLength(2);
    // Fonts are packed already: they travel as they are.
    const fontBytes = fonts.reduce((total, name) => total + readFileSync(join(assets, name)).length, 0);
    expect(fontBytes / 1_000).toBeLessThanOrEqual(BUDGET.fonts);
    say('web-everything-kb', sum(names));
    expect(sum(names)).toBeLessThanOrEqual(BUDGET.everything);
  });
});

describe('what a browser loads before it shows what it was opened for', () => {
  let stack: Stack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), openBrowser()]);
    await accuse(stack, [LISTED]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  /** What was asked for before the service answered, on a page that was never opened before. */
  async function loadedBeforeAnswer(path: string): Promise<string[]> {
    stack.faults.set([{ path: /\/check\/stream/, act: { kind: 'delay', ms: ANSWER_AFTER_MS } }]);
    const { page, offences, close } = await openPage(browser, stack.url);
    await page.goto(path);
    await untilEnd(page);
    const loaded = await page.evaluate(() => {
      const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const answered = all.find(({ name }) => name.includes('/check/stream'))?.responseStart ?? 0;
      return all.filter(({ startTime }) => startTime < answered).map(({ name }) => new URL(name).pathname);
    });
    stack.faults.set([]);
    expect(offences).toEqual([]);
    await close();
    return scriptsAmong(loaded);
  }

  /** What was asked for before the box could be written in and the page had its heading. */
  async function loadedBeforeBox(): Promise<string[]> {
    const { page, offences, close } = await openPage(browser, stack.url);
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        if (document.querySelector('h1') === null || document.activeElement?.tagName !== 'INPUT') return;
        performance.mark('usable');
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true, characterData: true });
    });
    await page.goto('/app/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const loaded = await page.evaluate(() => {
      const usable = performance.getEntriesByName('usable')[0]?.startTime ?? 0;
      return performance
        .getEntriesByType('resource')
        .filter(({ startTime }) => startTime < usable)
        .map(({ name }) => new URL(name).pathname);
    });
    expect(offences).toEqual([]);
    await close();
    return scriptsAmong(loaded);
  }

  const scriptsAmong = (paths: readonly string[]): string[] => [
    ...new Set(paths.filter((path) => path.endsWith('.js')).map((path) => path.replace('/app/assets/', ''))),
  ];

  test('a cold permalink needs at most 140 kB of scripts for its verdict, and no list of public suffixes', async () => {
    const loaded = await loadedBeforeAnswer(`/app/ip/${LISTED}`);
    say('web-critical-indicator-kb', sum(loaded));
    expect(loaded.some((name) => name.startsWith('indicator-page-'))).toBe(true);
    expect(sum(loaded)).toBeLessThanOrEqual(BUDGET.criticalPath);
    expect(loaded.filter(holdsSuffixes)).toEqual([]);

    // And it needs nothing else: the verdict is there while every other script is held back.
    const { page, offences, close } = await openPage(browser, stack.url);
    await page.route('**/assets/*.js', async (route) => {
      if (loaded.some((name) => route.request().url().endsWith(name))) await route.continue();
    });
    await page.goto(`/app/ip/${LISTED}`);
    await untilEnd(page);
    await expect.poll(() => verdictOf(page).textContent()).toMatch(/risk \d+ of 100/);
    expect(offences).toEqual([]);
    await close();
  });

  test('the first page needs at most 140 kB of scripts for a box to write in, and no list of public suffixes', async () => {
    const loaded = await loadedBeforeBox();
    say('web-critical-home-kb', sum(loaded));
    expect(loaded.some((name) => name.startsWith('check-home-'))).toBe(true);
    expect(sum(loaded)).toBeLessThanOrEqual(BUDGET.criticalPath);
    expect(loaded.filter(holdsSuffixes)).toEqual([]);
  });

  test('the question of a cold permalink goes ahead of the page, and is asked once', async () => {
    const asked = streamsOf(stack).length;
    const { page, offences, close } = await openPage(browser, stack.url);
    let letPass = (): void => undefined;
    const passed = new Promise<void>((resolve) => {
      letPass = resolve;
    });
    await page.route('**/assets/index-*.js', async (route) => {
      await passed;
      await route.continue();
    });
    await page.goto(`/app/ip/${LISTED}`, { waitUntil: 'commit' });
    await expect.poll(() => streamsOf(stack).length, { timeout: 20_000 }).toBe(asked + 1);
    letPass();
    await untilEnd(page);
    expect(streamsOf(stack)).toHaveLength(asked + 1);
    expect(offences).toEqual([]);
    await close();
  });

  test('an address that has to be read first does load the list, and from here', async () => {
    const loaded = await loadedBeforeAnswer('/app/domain/EXAMPLE.com');
    expect(loaded.filter(holdsSuffixes)).toHaveLength(1);
  });
});

/** A Japanese city that is a public suffix: whatever the file is called, it holds the list. */
const holdsSuffixes = (name: string): boolean =>
  readFileSync(join(assets, name), 'utf8').includes('kawasaki');
