import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DESKTOP, openBrowser, type Page, type PageOptions, PHONE } from '../support/browser.ts';
import { type OpenScene, sceneOpener } from '../support/open-scene.ts';
import { axe, movingIn, outlineOf, sidewaysOf, smallTargets, ZOOMED } from '../support/page-rules.ts';
import { SCENES, type Scene } from '../support/screens.ts';
import { joinSampleStacks, type SampleStacks } from '../support/shared-stack.ts';

/** Opens every scene again for every look; the landing lane opens each once and changes its look in place. */
const LOOKS: Readonly<Record<string, PageOptions>> = {
  'in light': { colorScheme: 'light', viewport: DESKTOP },
  'in the dark': { colorScheme: 'dark', viewport: DESKTOP },
  'on a phone': { colorScheme: 'light', viewport: PHONE, hasTouch: true, isMobile: true },
};

let stacks: SampleStacks;
let browser: Browser;
let openScene: OpenScene;
beforeAll(async () => {
  [stacks, browser] = await Promise.all([joinSampleStacks(), openBrowser()]);
  openScene = await sceneOpener(stacks, browser, 'every-look@example.com');
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

/** axe uses timers, which never fire on a page whose clock is moved by the test. */
const violationsOf = (scene: Scene, page: Page): Promise<readonly string[]> =>
  scene.movesClock === true ? Promise.resolve([]) : axe(page);

const all = SCENES.map((scene) => [scene.name, scene] as const);

describe.each(Object.entries(LOOKS))('%s', (_look, options) => {
  test.each(all)(
    '%s breaks no rule of WCAG 2.2 AA, has one first-level heading and no target below 24 pixels',
    async (_name, scene) => {
      const seen = await looking(scene, options, async (page) => ({
        violations: await violationsOf(scene, page),
        ...(await outlineOf(page)),
        small: await smallTargets(page),
      }));
      const title = expect.stringMatching(/. · Assay$/) as unknown;
      expect(seen).toEqual({ violations: [], headings: 1, mains: 1, title, small: [] });
    },
  );
});

test.each(all)(
  '%s at 400 percent zoom does not scroll sideways, and has no animation with reduced motion',
  async (_name, scene) => {
    const options = { viewport: ZOOMED, hasTouch: true, reducedMotion: 'reduce' } as const;
    const seen = await looking(scene, options, async (page) => ({
      sideways: await sidewaysOf(page),
      moving: await movingIn(page),
    }));
    expect(seen).toEqual({ sideways: [], moving: { running: 0, styled: 0 } });
  },
);
