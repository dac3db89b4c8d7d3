import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openBrowser, type Page, visit } from '../support/browser.ts';
import { buildDashboard } from '../support/build-dashboard.ts';
import { accuse, streamsOf, untilEnd, verdictOf } from '../support/journey.ts';
import { joinPlainStack } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

/** The largest allowed sizes of the built dashboard, in kB of 1,000 bytes after gzip -9. */
const BUDGET = {
  entry: 100,
  // 120 before the words and actions of the ladder grew from six to twelve; measured 120.05.
  criticalPath: 121,
  code: 45,
  /** The public suffix list or the country outlines: data that is not needed before the first answer. */
  data: 50,
  styles: 14,
  fonts: 52,
  everything: 650,
} as const;
const DATA = /^(?:countries-110m|public-suffixes)-/;

const PLANTED_SCREENS = 10;
const LISTED = '185.220.101.34';

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
function closureOf(key: string, seen = new Set<string>()): ReadonlySet<string> {
  const part = manifest[key];
  if (part === undefined || seen.has(part.file)) return seen;
  seen.add(part.file.replace('assets/', ''));
  for (const needed of part.imports ?? []) closureOf(needed, seen);
  return seen;
}

/** The size of the entry's scripts in a build with this many more screens in `screens.ts`. */
async function entryWith(screens: number): Promise<number> {
  // Names without a pattern, because gzip would compress similar ones to almost nothing.
  const names = Array.from({ length: screens }, (_, nth) => hash('sha256', `${nth}`).slice(0, 14));
  const dir = mkdtempSync(join(tmpdir(), 'assay-web-'));
  try {
    await buildDashboard(dir, 'production', [
      {
        name: 'planted-screens',
        enforce: 'pre',
        resolveId: (id) => (id.startsWith('planted-') ? `\0${id}` : undefined),
        load: (id) => (id.startsWith('\0planted-') ? `export default () => '${id.slice(1)}';` : undefined),
        transform: (code, id) =>
          id.endsWith('/src/screens.ts')
            ? code.replace(
                'SCREENS: readonly Screen[] = [',
                `$&${names.map((name) => `{ path: '/${name}', title: 'The ${name}', group: 'Platform', key: '${name[0]}', load: () => import('planted-${name}') },`).join('')}`,
              )
            : undefined,
      },
    ]);
    return sizeOfEntry(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The entry is every script that index.html names, with what they import. */
function sizeOfEntry(dir: string): number {
  const parts = JSON.parse(readFileSync(join(dir, '.vite/manifest.json'), 'utf8')) as Record<string, Part>;
  const seen = new Set<string>();
  const add = (key: string): void => {
    const part = parts[key];
    if (part === undefined || seen.has(part.file)) return;
    seen.add(part.file);
    for (const needed of part.imports ?? []) add(needed);
  };
  add('index.html');
  return [...seen].reduce(
    (total, file) => total + gzipSync(readFileSync(join(dir, file)), { level: 9 }).length / 1_000,
    0,
  );
}

const say = (what: string, kB: number): void =>
  void process.stdout.write(`figure ${what} ${kB.toFixed(1)}\n`);

describe('the size of the build', () => {
  test('the entry with its static imports is at most 100 kB', () => {
    const size = sum(closureOf('index.html'));
    say('web-entry-kb', size);
    expect(size).toBeGreaterThan(50);
    expect(size).toBeLessThanOrEqual(BUDGET.entry);
  });

  test('one more screen adds at most 150 bytes to the entry', async () => {
    const planted = await entryWith(PLANTED_SCREENS);
    const each = ((planted - sum(closureOf('index.html'))) * 1_000) / PLANTED_SCREENS;
    process.stdout.write(`figure web-screen-bytes ${each.toFixed(0)}\n`);
    expect(each).toBeGreaterThan(0);
    expect(each).toBeLessThanOrEqual(150);
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
    // Fonts are compressed already, so their file size counts.
    const fontBytes = fonts.reduce((total, name) => total + readFileSync(join(assets, name)).length, 0);
    expect(fontBytes / 1_000).toBeLessThanOrEqual(BUDGET.fonts);
    say('web-everything-kb', sum(names));
    expect(sum(names)).toBeLessThanOrEqual(BUDGET.everything);
  });
});

describe('downloads before the first useful content', () => {
  let stack: Stack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([joinPlainStack(), openBrowser()]);
    await accuse(stack, [LISTED]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  /**
   * The scripts that were requested before an element of this selector was in the page. The page itself notes the
   * moment, because the test would see it late on a slow machine.
   */
  async function loadedBefore(
    path: string,
    selector: string,
    settled: (page: Page) => Promise<unknown>,
  ): Promise<string[]> {
    let loaded: string[] = [];
    await visit(browser, stack.url, async ({ page }) => {
      await page.addInitScript(markWhenThere, selector);
      await page.goto(path);
      await settled(page);
      // The browser records a request only when its answer has arrived.
      await page.waitForLoadState('networkidle');
      loaded = await page.evaluate(() => {
        const there = performance.getEntriesByName('there')[0]?.startTime ?? 0;
        return performance
          .getEntriesByType('resource')
          .filter(({ startTime }) => startTime < there)
          .map(({ name }) => new URL(name).pathname);
      });
    });
    return scriptsAmong(loaded);
  }

  const scriptsAmong = (paths: readonly string[]): string[] => [
    ...new Set(paths.filter((path) => path.endsWith('.js')).map((path) => path.replace('/app/assets/', ''))),
  ];

  test('a cold permalink needs at most 121 kB of scripts for its verdict, and no list of public suffixes', async () => {
    const loaded = await loadedBefore(`/app/ip/${LISTED}`, 'article h1', (page) => untilEnd(page));
    say('web-critical-indicator-kb', sum(loaded));
    expect(loaded.some((name) => name.startsWith('indicator-page-'))).toBe(true);
    expect(sum(loaded)).toBeLessThanOrEqual(BUDGET.criticalPath);
    expect(loaded.filter(holdsSuffixes)).toEqual([]);

    // The verdict appears while every other script is held back, so no other script is needed.
    await visit(browser, stack.url, async ({ page }) => {
      await page.route('**/assets/*.js', async (route) => {
        if (loaded.some((name) => route.request().url().endsWith(name))) await route.continue();
      });
      await page.goto(`/app/ip/${LISTED}`);
      await untilEnd(page);
      await expect.poll(() => verdictOf(page).textContent()).toMatch(/risk \d+ of 100/);
    });
  });

  test('the first page needs at most 121 kB of scripts for a usable box, and no list of public suffixes', async () => {
    const box = 'body:has(h1) input[aria-label="Indicator to check"]:focus';
    const loaded = await loadedBefore('/app/', box, (page) => page.locator(box).waitFor());
    say('web-critical-home-kb', sum(loaded));
    expect(loaded.some((name) => name.startsWith('check-home-'))).toBe(true);
    expect(sum(loaded)).toBeLessThanOrEqual(BUDGET.criticalPath);
    expect(loaded.filter(holdsSuffixes)).toEqual([]);
  });

  test('the check of a cold permalink is requested before the page is ready, and only once', async () => {
    const asked = streamsOf(stack).length;
    const { promise: passed, resolve: letPass } = Promise.withResolvers<void>();
    await visit(browser, stack.url, async ({ page }) => {
      await page.route('**/assets/index-*.js', async (route) => {
        await passed;
        await route.continue();
      });
      await page.goto(`/app/ip/${LISTED}`, { waitUntil: 'commit' });
      await expect.poll(() => streamsOf(stack).length).toBe(asked + 1);
      letPass();
      await untilEnd(page);
      expect(streamsOf(stack)).toHaveLength(asked + 1);
    });
  });

  test('a path that has to be parsed first does load the list, from the same origin', async () => {
    const loaded = await loadedBefore('/app/domain/EXAMPLE.com', 'article[data-state="done"]', (page) =>
      untilEnd(page),
    );
    expect(loaded.filter(holdsSuffixes)).toHaveLength(1);
  });
});

/** Runs in the page. Watches the focus too, because the observer reports changed elements only. */
function markWhenThere(selector: string): void {
  const look = (): void => {
    if (document.querySelector(selector) === null) return;
    performance.mark('there');
    observer.disconnect();
    document.removeEventListener('focusin', look);
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true, attributes: true });
  document.addEventListener('focusin', look);
}

/** Detects the list by a Japanese city that is a public suffix, whatever the file name. */
const holdsSuffixes = (name: string): boolean =>
  readFileSync(join(assets, name), 'utf8').includes('kawasaki');
