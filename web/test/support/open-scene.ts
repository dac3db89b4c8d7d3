import type { Browser } from 'playwright-core';
import { openPage, type Page, type PageOptions, signIn, type Watched } from './browser.ts';
import { SAMPLE } from './sample-peers.ts';
import type { Scene } from './screens.ts';
import type { SampleStacks } from './shared-stack.ts';
import type { Stack } from './stack.ts';

export type OpenScene = (scene: Scene, options?: PageOptions) => Promise<Watched>;

/**
 * Opens scenes one after the other: signs in once, sets the faults of a scene, and removes them when it is
 * closed.
 */
export async function sceneOpener(
  stacks: Pick<SampleStacks, 'answering' | 'failing'>,
  browser: Browser,
  email = 'analyst@example.com',
): Promise<OpenScene> {
  const visitor = await openPage(browser, stacks.answering.url);
  await signIn(visitor.page, await stacks.answering.newPair(email));
  const cookies = await visitor.context.cookies();
  await visitor.close();
  return async (scene, options = {}) => {
    const stack = scene.hasFailingPeers === true ? stacks.failing : stacks.answering;
    stack.faults.set(scene.faults ?? []);
    const watched = await openPage(browser, stack.url, {
      ...options,
      ...(scene.isSignedIn === true && { cookies }),
      isAlone: scene.movesClock === true,
    });
    const close = async () => {
      stack.faults.set([]);
      await watched.close();
    };
    try {
      await play(scene, watched.page, stack);
    } catch (error) {
      await close();
      throw error;
    }
    return { ...watched, close };
  };
}

async function play(scene: Scene, page: Page, { faults }: Stack): Promise<void> {
  if (scene.movesClock === true) await page.clock.install();
  if (scene.recent === true) await page.addInitScript(remember, recentChecks());
  if (scene.init !== undefined) await page.addInitScript(scene.init);
  await page.goto(scene.path);
  await page.locator(scene.shows).first().waitFor();
  await scene.act?.(page, faults.set);
}

const remember = (checks: unknown): void => localStorage.setItem('assay.recent', JSON.stringify(checks));

const recentChecks = () =>
  [
    { type: 'ip', value: SAMPLE.torExit, word: 'Suspicious', tone: 'suspicious' },
    { type: 'domain', value: SAMPLE.lure, word: 'High risk', tone: 'high-risk' },
    { type: 'ip', value: SAMPLE.malicious, word: 'Malicious', tone: 'malicious' },
    { type: 'hash', value: SAMPLE.unknownHash, word: 'Not seen', tone: 'unknown' },
    { type: 'url', value: SAMPLE.payload, word: 'Malicious', tone: 'malicious' },
  ].map((check, nth) => ({
    ...check,
    at: new Date(Date.now() - (nth * nth * 7 + 1) * 60_000).toISOString(),
  }));
