import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginWithinOneHour } from '../../../server/test/contract/one-hour.ts';
import { bySize } from '../../../server/test/support/lane.ts';
import { type RedisServer, startRedisServer } from '../../../server/test/support/redis-server.ts';
import { enterPair, openBrowser, signIn } from '../support/browser.ts';
import { pressSequence, streamsOf, untilEnd, untilIdle, verdictOf, walk } from '../support/journey.ts';
import { type Stack, startStack } from '../support/stack.ts';

const STREAM = /check\/stream/;
const VALUE = '45.155.205.233';
/** The Retry-After of refusals. The test moves the page's clock past it; no step takes as long in real time. */
const REFUSED_FOR_S = 600;
/** How long a strip may take to appear; the proofs lane uses the exact limit. */
const NOTICED_MS = bySize(60_000, 20_000);
const PAGES: Readonly<Record<string, string>> = { o: 'overview', d: 'status/data', b: 'bulk', c: '' };

let redis: RedisServer;
let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  redis = await startRedisServer();
  [stack, browser] = await Promise.all([
    startStack({
      realLimits: true,
      // The grace in which the service counts without Redis is long enough for a slow walk through every screen.
      // The long timeout avoids local counts, which a slow answer of Redis would cause and which miss the limit.
      env: { REDIS_URL: redis.url, METER_GRACE_MS: '600000', REDIS_TIMEOUT_MS: '5000' },
    }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  await redis?.stop();
});

const refusal = (body: Record<string, unknown>) => ({
  kind: 'answer' as const,
  status: 429,
  headers: { 'retry-after': `${REFUSED_FOR_S}` },
  body: {
    error: 'Rate Limited',
    message: 'All 10 checks of this month are used.',
    retryAfter: REFUSED_FOR_S,
    ...body,
  },
});
const BURST = { plan: 'BASIC', rateLimit: { limit: 1, remaining: 0, resetAt: '2026-01-01T00:00:00.000Z' } };
const MONTH = { plan: 'PRO', usage: { current: 10, limit: 10 }, resetsAt: '2026-01-01T00:00:00.000Z' };

test('a burst refusal is shown as a countdown and not as an error, then the check is offered and waits for a confirmation', () =>
  walk(
    { browser, stack },
    async ({ page }) => {
      await page.clock.install();
      await signIn(page, await stack.newPair('paced@example.com', 'BASIC'));
      stack.faults.set([{ path: STREAM, act: refusal(BURST) }]);
      await page.goto(`/app/ip/${VALUE}`);
      await page.getByRole('status').getByText('Next check in 10 min.').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.clock.fastForward(240_000);
      await page.getByRole('status').getByText('Next check in 6 min.').waitFor();
      stack.faults.set([]);
      const before = streamsOf(stack).length;
      await page.clock.fastForward(360_000);
      await page.getByText('The next check can start now.').waitFor();
      // Waits another minute to detect a check that would start by itself.
      await page.clock.fastForward(60_000);
      await untilIdle(page);
      expect(streamsOf(stack)).toHaveLength(before);
      await page.getByRole('button', { name: 'Check now' }).click();
      await untilEnd(page);
    },
    { isAlone: true },
  ));

test('a month that is used up counts down to zero and offers again', () =>
  walk(
    { browser, stack },
    async ({ page }) => {
      await page.clock.install();
      await signIn(page, await stack.newPair('spent@example.com'));
      stack.faults.set([{ path: STREAM, act: refusal(MONTH) }]);
      await page.goto(`/app/ip/${VALUE}`);
      const note = page.getByRole('alert');
      await note.getByText('The limit is used up for now').waitFor();
      await note.getByText('Try again in 10 min').waitFor();
      await page.clock.fastForward(240_000);
      await note.getByText('Try again in 6 min').waitFor();
      stack.faults.set([]);
      await page.clock.fastForward(360_000);
      await note.getByRole('button', { name: 'Try again' }).click();
      await untilEnd(page);
    },
    { isAlone: true },
  ));

test('the eleventh check of an hour without a key is refused with a message and a countdown, and the rest still works', () =>
  walk({ browser, stack }, async ({ page }) => {
    await beginWithinOneHour();
    await page.goto(`/app/ip/${VALUE}`);
    await untilEnd(page);
    // The first check of this browser was the first of the hour, so nine more are left.
    const statuses = await page.evaluate(async () => {
      const seen: number[] = [];
      for (let n = 0; n < 9; n += 1) {
        const answer = await fetch(`/api/check/stream?query=45.155.205.${n}`);
        await answer.text();
        seen.push(answer.status);
      }
      return seen;
    });
    expect(statuses).toEqual(Array(9).fill(200));
    await page.keyboard.press('/');
    await page.keyboard.insertText('45.155.205.200');
    await page.keyboard.press('Enter');
    const note = page.getByRole('alert');
    await note.getByText('This network has used its free checks').waitFor();
    await note.getByText(/Try again in \d+ (?:s|min|h)/).waitFor();
    await note.getByRole('link', { name: 'Sign in with a key' }).waitFor();
    await expect.poll(() => page.title()).toBe('45.155.205.200 · Not checked · Assay');
    expect(await verdictOf(page).count()).toBe(0);
    await page.goBack();
    await untilEnd(page);
    for (const key of Object.keys(PAGES)) {
      await pressSequence(page, ['g', key]);
      await page.waitForURL(`**/app/${PAGES[key]}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    // Signing in with a key helps, because a check then counts against the quota of the key.
    await page.goto('/app/ip/45.155.205.200');
    await page.getByRole('link', { name: 'Sign in with a key' }).click();
    await enterPair(page, await stack.newPair('own@example.com'));
    await page.waitForURL('**/app/ip/45.155.205.200');
    await untilEnd(page);
  }));

test('without Redis a strip reports it on every screen within 20 s, verdicts still come, and the strip disappears after recovery', () =>
  walk({ browser, stack }, async ({ page }) => {
    await signIn(page, await stack.newPair('degraded@example.com'));
    const strip = page.getByRole('status').filter({ hasText: 'Degraded.' });
    expect(await strip.count()).toBe(0);
    await redis.kill();
    await strip.getByText('The counter store is away').waitFor({ timeout: NOTICED_MS });
    for (const path of ['bulk', 'overview', 'status/data', 'sign-in', '', `ip/${VALUE}`]) {
      await page.goto(`/app/${path}`);
      await strip.getByText('The counter store is away').waitFor({ timeout: NOTICED_MS });
    }
    await untilEnd(page);
    await verdictOf(page).getByText('No data', { exact: true }).waitFor();
    await redis.restart();
    await strip.waitFor({ state: 'detached', timeout: bySize(90_000, 40_000) });
  }));
