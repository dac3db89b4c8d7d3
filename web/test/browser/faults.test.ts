import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GOLDEN } from '../../../server/test/golden/golden-corpus.ts';
import { startGoldenPeers, tellPeers } from '../../../server/test/golden/golden-live.ts';
import { bySize, IS_FULL_SIZE } from '../../../server/test/support/lane.ts';
import type { LivePeers } from '../../../server/test/support/live-peers.ts';
import { openBrowser, type Page, signIn } from '../support/browser.ts';
import {
  accuse,
  cameProvisional,
  msFromEnterToVerdict,
  openHome,
  pressSequence,
  streamsOf,
  untilEnd,
  untilShown,
  verdictOf,
  walk,
} from '../support/journey.ts';
import { joinPlainStack } from '../support/shared-stack.ts';
import { type Stack, startStack } from '../support/stack.ts';

const BAD = ['45.155.205.20', '45.155.205.21', '45.155.205.22', '45.155.205.23', '45.155.205.24'];
const [FIRST = '', SECOND = ''] = BAD;
const STREAM = /check\/stream/;
/** How long the page may take to notice a fault: it asks for the health of the service every 15 s. */
const NOTICED_MS = bySize(120_000, 20_000);

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([joinPlainStack(), openBrowser()]);
  await accuse(stack, BAD);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const usedBy = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const answer = (await (await fetch('/api/auth/session')).json()) as { usage: { used: number } };
    return answer.usage.used;
  });

// An event id begins with the number of its phase. An address skips number 4, the DNS phase, so its fourth step is 5.
test.each([
  [1, '1.'],
  [2, '2.'],
  [3, '3.'],
  [4, '5.'],
])(
  'a connection cut after step %i keeps the events so far, and Resume finishes the same check without a second charge',
  (steps, place) =>
    walk({ browser, stack }, async ({ page }) => {
      await signIn(page, await stack.newPair(`cut-${steps}@example.com`));
      stack.faults.set([{ path: STREAM, act: { kind: 'hold', afterEvents: steps } }]);
      const [before, usedBefore] = [streamsOf(stack).length, await usedBy(page)];
      await page.goto(`/app/ip/${FIRST}`);
      // A cut discards what the page has not read yet.
      await verdictOf(page).getByText(`Provisional, step ${steps} of 4`).waitFor();
      stack.faults.cut(STREAM);
      await untilEnd(page, 'cut');
      const strip = page.getByRole('alert');
      await strip.getByText(`Connection lost after step ${steps} of 4. What had come was kept.`).waitFor();
      await verdictOf(page).getByText('Malicious', { exact: true }).waitFor();
      await verdictOf(page).getByText('Provisional').waitFor();
      await page.getByRole('row', { name: /C2 Tracker/ }).waitFor();
      expect(await usedBy(page)).toBe(usedBefore + 1);
      stack.faults.set([]);
      await strip.getByRole('button', { name: 'Resume' }).click();
      await untilEnd(page);
      expect(await verdictOf(page).textContent()).not.toContain('Provisional');
      const [asked, resumed, ...more] = streamsOf(stack).slice(before);
      expect(asked?.lastEventId).toBeUndefined();
      expect(resumed?.lastEventId?.slice(0, 2)).toBe(place);
      expect(more).toEqual([]);
      expect(await usedBy(page)).toBe(usedBefore + 1);
    }),
);

test('leaving a page during a check and coming back resumes the same check', () =>
  walk({ browser, stack }, async ({ page }) => {
    await signIn(page, await stack.newPair('left@example.com'));
    const usedBefore = await usedBy(page);
    stack.faults.set([{ path: STREAM, act: { kind: 'hold', afterEvents: 2 } }]);
    await page.goto(`/app/ip/${FIRST}`);
    await verdictOf(page).getByText('Provisional, step 2 of 4').waitFor();
    await pressSequence(page, ['g', 'c']);
    await page.getByRole('heading', { name: 'Check an indicator' }).waitFor();
    // The page closes the stream when it treats the reader as gone.
    await expect.poll(() => streamsOf(stack).at(-1)?.isOver()).toBe(true);
    stack.faults.set([]);
    await page.goBack();
    await untilEnd(page);
    expect(streamsOf(stack).at(-1)?.lastEventId).toMatch(/^2\./);
    expect(await usedBy(page)).toBe(usedBefore + 1);
  }));

/** Whom the panels of a running check name, after the first phase. */
async function namedOn(page: Page): Promise<readonly string[]> {
  await page.getByText('Not looked up, because these live lookups are turned off on this server:').waitFor();
  await page.getByText('Asking the record of this service.').waitFor();
  const named = await page.getByText(/^Asking the /).allTextContents();
  return named.map((text) => text.trim()).toSorted();
}

test('with live lookups off, the panels of a running check name no outside service (O80)', () =>
  walk({ browser, stack }, async ({ page }) => {
    stack.faults.set([{ path: STREAM, act: { kind: 'hold', afterEvents: 1 } }]);
    await page.goto(`/app/domain/${GOLDEN.domain}`);
    expect(await namedOn(page)).toEqual(['Asking the record of this service.']);
    stack.faults.set([]);
  }));

test('a service that is silent from the start is reported as silent after eight seconds, and no verdict is shown', () =>
  walk({ browser, stack }, async ({ page }) => {
    stack.faults.set([{ path: STREAM, act: { kind: 'hang' } }]);
    await page.goto(`/app/ip/${FIRST}`);
    await verdictOf(page).getByText('Checking', { exact: true }).waitFor();
    await verdictOf(page).getByText('No answer yet from the lists.').waitFor();
    await expect.poll(() => page.title()).toBe(`${FIRST} · Checking · Assay`);
    expect(await page.locator('main').textContent()).not.toMatch(/unknown|no threats|not listed/i);
    await pressSequence(page, ['g', 'd']);
    await page.waitForURL('**/app/status/data');
  }));

test('a service that goes silent after the verdict keeps the provisional verdict and names the providers it waits for', () =>
  walk({ browser, stack }, async ({ page }) => {
    stack.faults.set([{ path: STREAM, act: { kind: 'hold', afterEvents: 1 } }]);
    await page.goto(`/app/ip/${FIRST}`);
    await verdictOf(page).getByText('Malicious', { exact: true }).waitFor();
    await verdictOf(page).getByText('Provisional. No answer yet from the registry and the host.').waitFor();
    await verdictOf(page).getByText('Malicious', { exact: true }).waitFor();
  }));

test('without a network a new page reports it, a loaded page keeps its content, and a retry works when the network is back', () =>
  walk({ browser, stack }, async ({ page, context }) => {
    await page.goto(`/app/ip/${FIRST}`);
    await untilEnd(page);
    await page.keyboard.press('/');
    await page.keyboard.insertText(SECOND);
    // The parser of the box is loaded after the page.
    await page.getByText('IPv4', { exact: true }).waitFor();
    await context.setOffline(true);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: SECOND }).waitFor();
    await page.getByRole('alert').getByText('The service did not answer').waitFor();
    await expect.poll(() => page.title()).toBe(`${SECOND} · Not checked · Assay`);
    await page.goBack();
    await untilShown(page, FIRST);
    await verdictOf(page).getByText('Malicious', { exact: true }).waitFor();
    await context.setOffline(false);
    await page.goForward();
    await untilShown(page, SECOND);
    await untilEnd(page);
    await verdictOf(page).getByText('Malicious', { exact: true }).waitFor();
  }));

test('a box whose parser could not be loaded reports it instead of guessing, and works when the network is back', () =>
  walk({ browser, stack }, async ({ page }) => {
    stack.faults.set([{ path: /read-input/, act: { kind: 'refuse' } }]);
    await openHome(page);
    await page.keyboard.insertText(SECOND);
    await page.keyboard.press('Enter');
    await page.getByText('The part of this page that reads input did not load.').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/');
    stack.faults.set([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: SECOND }).waitFor();
    await untilEnd(page);
  }));

test('a lost script costs its own section, which comes by itself when its script can be loaded', () =>
  walk({ browser, stack }, async ({ page }) => {
    const lost = /\/assets\/history-section/;
    stack.faults.set([{ path: lost, act: { kind: 'answer', status: 503, body: {} } }]);
    await page.goto(`/app/ip/${FIRST}`);
    await verdictOf(page).getByText('Malicious', { exact: true }).waitFor();
    await page.getByRole('row', { name: /C2 Tracker/ }).waitFor();
    const tries = () => stack.faults.seen.filter(({ url }) => lost.test(url)).length;
    await expect.poll(tries).toBeGreaterThanOrEqual(2);
    await verdictOf(page).getByText('Malicious', { exact: true }).waitFor();
    stack.faults.set([]);
    await page.getByRole('heading', { name: 'History', exact: true }).waitFor();
    await untilEnd(page);
  }));

test('503 is shown with its message and request id, and Try again sends one more request', () =>
  walk({ browser, stack }, async ({ page }) => {
    const requestId = 'req_01J0000000000000000000TEST';
    stack.faults.set([
      {
        path: STREAM,
        act: {
          kind: 'answer',
          status: 503,
          headers: { 'x-request-id': requestId },
          body: { error: 'Service Unavailable', message: 'Too busy. Try again in 1 s.', requestId },
        },
      },
    ]);
    await page.goto(`/app/ip/${FIRST}`);
    const note = page.getByRole('alert');
    await note.getByText('The service cannot answer this right now').waitFor();
    await note.getByText(requestId).waitFor();
    await expect.poll(() => verdictOf(page).count()).toBe(0);
    stack.faults.set([]);
    await note.getByRole('button', { name: 'Try again' }).click();
    await untilEnd(page);
  }));

test('a service that becomes unavailable under an open page is reported in a strip, the page keeps its content, and it recovers', () =>
  walk({ browser, stack }, async ({ page }) => {
    await page.goto(`/app/ip/${FIRST}`);
    await untilEnd(page);
    stack.faults.set([{ path: /./, act: { kind: 'refuse' } }]);
    const strip = page.getByText('The service does not answer. What is on the page was kept.');
    await strip.waitFor({ timeout: NOTICED_MS });
    await verdictOf(page).getByText('Malicious', { exact: true }).waitFor();
    await page.keyboard.press('r');
    await page.getByRole('alert').getByText('The service did not answer').waitFor();
    await verdictOf(page).getByText('Malicious', { exact: true }).waitFor();
    await page.getByRole('row', { name: /C2 Tracker/ }).waitFor();
    stack.faults.set([]);
    await strip.waitFor({ state: 'detached', timeout: NOTICED_MS });
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await untilEnd(page);
  }));

describe('with live lookups', () => {
  let peers: LivePeers;
  let live: Stack;
  beforeAll(async () => {
    peers = await startGoldenPeers();
    tellPeers(peers);
    live = await startStack({ env: peers.env });
  });
  afterAll(async () => {
    await live?.stop();
    await peers?.close();
  });

  const panel = (page: Page, name: string) =>
    page.locator('section[data-state]').filter({ has: page.getByRole('heading', { name, exact: true }) });

  test('the panels of a running check name the outside services that are asked, and not the host, which is not (O80)', () =>
    walk({ browser, stack: live }, async ({ page }) => {
      live.faults.set([{ path: STREAM, act: { kind: 'hold', afterEvents: 1 } }]);
      // Not the value of the test below, whose registry must not be remembered.
      await page.goto('/app/domain/asked-first.com');
      const named = await namedOn(page);
      expect(named).toContain('Asking the registry.');
      expect(named).toContain('Asking the community exchange.');
      expect(named).not.toContain('Asking the host.');
      live.faults.set([]);
    }));

  test('a registry that hangs hides nothing: the verdict and every other panel appear, and its panel names the silent provider', () =>
    walk({ browser, stack: live }, async ({ page }) => {
      peers.rdap.mode = 'hang';
      await openHome(page);
      await page.keyboard.insertText(GOLDEN.domain);
      await page.getByText('Domain', { exact: true }).first().waitFor();
      const took = await msFromEnterToVerdict(page);
      console.log(`figure first-verdict-beside-a-hanging-provider-ms ${Math.round(took)}`);
      if (IS_FULL_SIZE) expect(took).toBeLessThan(1_000);
      // The verdict was provisional when it appeared, so it did not wait for the silent registry.
      expect(await cameProvisional(page)).toBe(true);
      await untilEnd(page);
      await panel(page, 'Registration').getByText('The registry did not answer.').waitFor();
      await verdictOf(page).getByText('Did not answer: whois').waitFor();
      for (const name of ['DNS', 'Mail posture', 'Community reports', 'Certificate'])
        await expect
          .poll(() => panel(page, name).getAttribute('data-state'), { message: name })
          .toBe('ready');
      peers.rdap.mode = 'answer';
    }));
});
