import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The window of 1280 px at 400 % zoom. */
export const ZOOMED = { width: 320, height: 256 } as const;

/** Waits for animations, so that elements are judged in their final colours. */
const atRest = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        .map(({ finished }) => finished),
    ),
  );

export async function axe(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  await atRest(page);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (runOnly) =>
      (
        globalThis as unknown as { axe: { run: (what: unknown, how: unknown) => Promise<AxeResults> } }
      ).axe.run(document, { runOnly, resultTypes: ['violations'] }),
    [...(rules ?? TAGS)],
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}

export const outlineOf = async (page: Page) => ({
  headings: await page.locator('h1').count(),
  mains: await page.locator('main').count(),
  title: await page.title(),
});

export const movingIn = (page: Page) =>
  page.evaluate(() => ({
    running: document.getAnimations().length,
    styled: [...document.querySelectorAll('*')].filter((element) => {
      const { animationName, transitionDuration } = getComputedStyle(element);
      return animationName !== 'none' || transitionDuration.split(', ').some((each) => each !== '0s');
    }).length,
  }));

/** Elements that overflow the page to the right, if the page scrolls. */
export const sidewaysOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > width + 1)
      .map((element) => `${element.tagName}.${element.className} ${element.textContent?.slice(0, 40)}`);
  });

/**
 * WCAG 2.5.8 exempts a target with an equivalent elsewhere (which is hidden from screen readers), a link
 * within a sentence, and a target with 24 pixels of space around its centre.
 */
export const smallTargets = (page: Page): Promise<readonly string[]> =>
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
