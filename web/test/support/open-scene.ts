import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openPage, signIn, type Watched } from './browser.ts';
import { SAMPLE } from './sample-peers.ts';
import type { SampleStack } from './sample-stack.ts';
import type { Scene } from './screens.ts';

type Cookies = Extract<NonNullable<BrowserContextOptions['storageState']>, object>;

/** Opens scenes one after the other: signs in once, breaks what a scene wants broken, and mends it when it is closed. */
export async function sceneOpener(stack: SampleStack, browser: Browser) {
  const pair = await stack.newPair('analyst@example.com');
  const visitor = await openPage(browser, stack.url);
  await signIn(visitor.page, pair);
  const session: Cookies = await visitor.context.storageState();
  await visitor.close();
  return async (scene: Scene, options: BrowserContextOptions = {}): Promise<Watched> => {
    stack.faults.set(scene.faults ?? []);
    for (const peer of stack.peers.modal) peer.mode = scene.peers ?? 'answer';
    const watched = await openPage(browser, stack.url, {
      ...options,
      ...(scene.isSignedIn === true && { storageState: session }),
    });
    const { page } = watched;
    if (scene.movesClock === true) await page.clock.install();
    if (scene.recent === true) await page.addInitScript(remember, recentChecks());
    if (scene.init !== undefined) await page.addInitScript(scene.init);
    await page.goto(scene.path);
    await page.locator(scene.shows).first().waitFor({ timeout: 30_000 });
    await scene.act?.(page, stack.faults.set);
    return {
      ...watched,
      close: async () => {
        stack.faults.set([]);
        for (const peer of stack.peers.modal) peer.mode = 'answer';
        await watched.close();
      },
    };
  };
}

const remember = (checks: unknown): void => localStorage.setItem('assay.recent', JSON.stringify(checks));

const recentChecks = () =>
  [
    { type: 'ip', value: SAMPLE.torExit, word: 'Suspicious', tone: 'suspicious' },
    { type: 'domain', value: SAMPLE.lure, word: 'High risk', tone: 'suspicious' },
    { type: 'ip', value: SAMPLE.malicious, word: 'Malicious', tone: 'malicious' },
    { type: 'hash', value: SAMPLE.unknownHash, word: 'Not seen', tone: 'unknown' },
    { type: 'url', value: SAMPLE.payload, word: 'Malicious', tone: 'malicious' },
  ].map((check, nth) => ({
    ...check,
    at: new Date(Date.now() - (nth * nth * 7 + 1) * 60_000).toISOString(),
  }));
