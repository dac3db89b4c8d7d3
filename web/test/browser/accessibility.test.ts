import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DESKTOP, openBrowser, type Page, PHONE } from '../support/browser.ts';
import { sceneOpener } from '../support/open-scene.ts';
import { type SampleStack, startSampleStack } from '../support/sample-stack.ts';
import { SCENES, type Scene } from '../support/screens.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** 1280 px at 400 %. */
const ZOOMED = { width: 320, height: 256 } as const;

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  'in light': { colorScheme: 'light', viewport: DESKTOP },
  'in the dark': { colorScheme: 'dark', viewport: DESKTOP },
  'on a phone': { colorScheme: 'light', viewport: PHONE, hasTouch: true, isMobile: true },
};

let stack: SampleStack;
let browser: Browser;
let openScene: Awaited<ReturnType<typeof sceneOpener>>;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startSampleStack(), openBrowser()]);
  openScene = await sceneOpener(stack, browser);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Opens it, looks, and expects that the page did nothing it must not. */
async function looking<T>(
  scene: Scene,
  options: BrowserContextOptions,
  look: (page: Page) => Promise<T>,
): Promise<T> {
  const watched = await openScene(scene, options);
  try {
    const seen = await look(watched.page);
    expect(watched.offences).toEqual([]);
    return seen;
  } finally {
    await watched.close();
  }
}

/** What comes a moment later is judged when it stands, not while it is unseen or its colours are on their way. */
const atRest = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        .map(({ finished }) => finished),
    ),
  );

const axe = async (page: Page): Promise<readonly string[]> => {
  await atRest(page);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (tags) =>
      (
        globalThis as unknown as { axe: { run: (what: unknown, how: unknown) => Promise<AxeResults> } }
      ).axe.run(document, { runOnly: tags, resultTypes: ['violations'] }),
    TAGS,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
};

/** axe waits by the clock: of a page whose clock is moved by hand it would wait for ever. */
const violationsOf = (scene: Scene, page: Page): Promise<readonly string[]> =>
  scene.movesClock === true ? Promise.resolve([]) : axe(page);

const all = SCENES.map((scene) => [scene.name, scene] as const);

describe.each(Object.entries(LOOKS))('%s', (_look, options) => {
  test.each(all)(
    '%s breaks no rule of WCAG 2.2 AA, has one heading of the first rank and no target below 24 pixels',
    async (_name, scene) => {
      const seen = await looking(scene, options, async (page) => ({
        violations: await violationsOf(scene, page),
        headings: await page.locator('h1').count(),
        mains: await page.locator('main').count(),
        title: await page.title(),
        small: await smallTargets(page),
      }));
      const title = expect.stringMatching(/. · Assay$/) as unknown;
      expect(seen).toEqual({ violations: [], headings: 1, mains: 1, title, small: [] });
    },
  );
});

test.each(all)(
  '%s at four times the size does not scroll sideways, and moves nothing for whoever asked for that',
  async (_name, scene) => {
    const options = { viewport: ZOOMED, hasTouch: true, reducedMotion: 'reduce' } as const;
    const seen = await looking(scene, options, async (page) => ({
      sideways: await sidewaysOf(page),
      moving: await movingIn(page),
    }));
    expect(seen).toEqual({ sideways: [], moving: { running: 0, styled: 0 } });
  },
);

const movingIn = (page: Page) =>
  page.evaluate(() => ({
    running: document.getAnimations().length,
    styled: [...document.querySelectorAll('*')].filter((element) => {
      const { animationName, transitionDuration } = getComputedStyle(element);
      return animationName !== 'none' || transitionDuration.split(', ').some((each) => each !== '0s');
    }).length,
  }));

/** Whatever sticks out of the page to the right, when the page scrolls. */
const sidewaysOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > width + 1)
      .map((element) => `${element.tagName}.${element.className} ${element.textContent?.slice(0, 40)}`);
  });

/** WCAG 2.5.8: what has an equal elsewhere (it is hidden from screen readers then), links within a sentence are let off, and so is what has 24 pixels of room around its middle. */
const smallTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const targets = [
      ...document.querySelectorAll('a[href], button, input, summary, select, textarea, [role="menuitem"]'),
    ]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => !element.closest('.visually-hidden, [aria-hidden="true"], [style*="clip"]'))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && box.bottom > 0);
    const isInText = (element: Element): boolean =>
      getComputedStyle(element).display === 'inline' &&
      (element.parentElement?.textContent?.trim().length ?? 0) > (element.textContent?.trim().length ?? 0);
    const middle = ({ left, top, width, height }: DOMRect) => ({ x: left + width / 2, y: top + height / 2 });
    const isCrowded = (each: { element: Element; box: DOMRect }): boolean =>
      targets.some(({ element, box }) => {
        if (element === each.element || element.contains(each.element) || each.element.contains(element))
          return false;
        const [a, b] = [middle(each.box), middle(box)];
        const isSmall = box.width < 24 || box.height < 24;
        if (isSmall) return Math.hypot(a.x - b.x, a.y - b.y) < 24;
        const [dx, dy] = [
          Math.max(box.left - a.x, 0, a.x - box.right),
          Math.max(box.top - a.y, 0, a.y - box.bottom),
        ];
        return Math.hypot(dx, dy) < 12;
      });
    return targets
      .filter(({ element, box }) => (box.width < 24 || box.height < 24) && !isInText(element))
      .filter(isCrowded)
      .map(
        ({ element, box }) =>
          `${element.tagName} '${element.textContent?.slice(0, 30)}' ${Math.round(box.width)} x ${Math.round(box.height)}`,
      );
  });

const sceneOf = (name: string): Scene => {
  const found = SCENES.find((scene) => scene.name === name);
  if (found === undefined) throw new Error(`There is no scene '${name}'.`);
  return found;
};

test('the skip link is the first thing the keyboard meets, can be seen, and leads past the rail', async () => {
  await looking(sceneOf('overview-ready'), {}, async (page) => {
    await page.keyboard.press('Tab');
    const link = page.getByRole('link', { name: 'Skip to the content' });
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await link.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))).toBe(
      true,
    );
  });
});

test.each(['indicator-ip-malicious', 'overview-ready', 'freshness-ready', 'bulk-ready', 'home-ready'])(
  '%s: the keyboard goes from top to bottom, and what has the focus is never covered',
  async (name) => {
    const steps = await looking(sceneOf(name), { viewport: { width: 1280, height: 720 } }, async (page) => {
      const seen: { readonly label: string; readonly isCovered: boolean; readonly order: number }[] = [];
      // From the top, wherever the page has put the focus.
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
