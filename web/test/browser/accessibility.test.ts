import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Page, type PageOptions } from '../support/browser.ts';
import { type OpenScene, sceneOpener } from '../support/open-scene.ts';
import { type Scene, sceneOf } from '../support/screens.ts';
import { joinSampleStacks, type SampleStacks } from '../support/shared-stack.ts';

let stacks: SampleStacks;
let browser: Browser;
let openScene: OpenScene;
beforeAll(async () => {
  [stacks, browser] = await Promise.all([joinSampleStacks(), openBrowser()]);
  openScene = await sceneOpener(stacks, browser, 'accessibility@example.com');
});
afterAll(async () => {
  await browser?.close();
  await stacks?.stop();
});

async function looking<T>(scene: Scene, options: PageOptions, look: (page: Page) => Promise<T>): Promise<T> {
  const watched = await openScene(scene, options);
  try {
    const seen = await look(watched.page);
    expect(watched.offences).toEqual([]);
    return seen;
  } finally {
    await watched.close();
  }
}

test('the skip link is the first tab stop, is visible, and leads past the rail', async () => {
  await looking(sceneOf('overview-ready'), {}, async (page) => {
    await page.keyboard.press('Tab');
    const link = page.getByRole('link', { name: 'Skip to the content' });
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await link.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    // The browser moves the focus a moment after it has followed the link.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.keyboard.press('Tab');
    await page.locator('main :focus').waitFor();
  });
});

test.each(['indicator-ip-malicious', 'overview-ready', 'freshness-ready', 'bulk-ready', 'home-ready'])(
  '%s: the tab order runs from top to bottom, and the focused element is never covered',
  async (name) => {
    const steps = await looking(sceneOf(name), { viewport: { width: 1280, height: 720 } }, async (page) => {
      const seen: { readonly label: string; readonly isCovered: boolean; readonly order: number }[] = [];
      // Puts the focus at the top first, because the page may have set it elsewhere.
      await page.evaluate(() => {
        document.body.tabIndex = -1;
        document.body.focus();
        document.body.removeAttribute('tabindex');
      });
      for (let nth = 0; nth < 60; nth += 1) {
        await page.keyboard.press('Tab');
        const step = await page.evaluate(() => {
          const element = document.activeElement;
          if (element === null || element === document.body) return null;
          const box = element.getBoundingClientRect();
          const [x, y] = [box.left + Math.min(box.width / 2, 20), box.top + Math.min(box.height / 2, 12)];
          const top = document.elementFromPoint(x, y);
          const label = element.closest('label');
          const isOnTop =
            top !== null && (element.contains(top) || top.contains(element) || label?.contains(top) === true);
          const all = [...document.querySelectorAll('*')];
          return {
            label: `${element.tagName} ${element.textContent?.slice(0, 30)}`,
            isCovered: box.width > 1 && !isOnTop,
            order: all.indexOf(element),
          };
        });
        if (step === null) break;
        seen.push(step);
      }
      return seen;
    });
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.filter(({ isCovered }) => isCovered)).toEqual([]);
    const orders = steps.map(({ order }) => order);
    expect(orders).toEqual(orders.toSorted((a, b) => a - b));
  },
);

test.each(['indicator-ip-malicious', 'indicator-hash-unknown', 'bulk-ready', 'home-ready'])(
  '%s in forced colours shows every verdict with its word, its shape and a border',
  async (name) => {
    const marks = await looking(sceneOf(name), { forcedColors: 'active' }, (page) =>
      page.locator('[data-tone]:not(svg)').evaluateAll((elements) =>
        elements.map((element) => {
          const style = getComputedStyle(element);
          const shape = element.querySelector('svg');
          const isLarge = Number.parseFloat(style.fontSize) > 20;
          return {
            word: element.textContent?.trim() ?? '',
            hasBorder:
              isLarge ||
              (Number.parseFloat(style.borderTopWidth) > 0 && style.borderTopColor !== style.backgroundColor),
            hasShape:
              element.tagName === 'BUTTON' ||
              (shape !== null && getComputedStyle(shape).color !== style.backgroundColor),
          };
        }),
      ),
    );
    expect(marks.length).toBeGreaterThan(0);
    expect(marks.filter(({ hasBorder, hasShape }) => !hasBorder || !hasShape)).toEqual([]);
    expect(marks.some(({ word }) => word !== '')).toBe(true);
  },
);
