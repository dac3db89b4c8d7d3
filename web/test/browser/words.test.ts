import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LADDER } from '../../../server/src/domain/scoring/ladder.ts';
import { openBrowser, signIn, visit } from '../support/browser.ts';
import { comforting, greensOn, ticksOn, wordsOn } from '../support/comforting.ts';
import { untilEnd } from '../support/journey.ts';
import { SAMPLE } from '../support/sample-peers.ts';
import { joinSampleStacks, type SampleStacks } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

/** Indicators that are unknown or have too little evidence. */
const UNKNOWN = [
  `/app/ip/${SAMPLE.unknownIp}`,
  `/app/domain/${SAMPLE.unknownDomain}`,
  `/app/hash/${SAMPLE.unknownHash}`,
  `/app/url/${encodeURIComponent(`http://${SAMPLE.unknownDomain}/a/b`)}`,
] as const;

/** One page for each rung that the invented data has. */
const LISTED = [
  `/app/ip/${SAMPLE.malicious}`,
  `/app/domain/${SAMPLE.lure}`,
  `/app/ip/${SAMPLE.torExit}`,
  `/app/ip/${SAMPLE.scanner}`,
  `/app/domain/${SAMPLE.popular}`,
  '/app/ip/8.8.8.8',
  `/app/ip/${SAMPLE.unknownIp}`,
  `/app/hash/${SAMPLE.unknownHash}`,
  '/app/domain/paypa1.com',
] as const;

let stacks: SampleStacks;
let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stacks, browser] = await Promise.all([joinSampleStacks(), openBrowser()]);
  stack = stacks.answering;
});
afterAll(async () => {
  await browser?.close();
  await stacks?.stop();
});

describe('no page calls an unknown indicator harmless', () => {
  test.each(UNKNOWN)('%s is shown as unknown, by its shape and in words', async (path) => {
    await visit(browser, stack.url, async ({ page }) => {
      await page.goto(path);
      await untilEnd(page);
      const verdict = page.getByRole('region', { name: 'Verdict' });
      await expect.poll(() => verdict.locator('[data-tone="unknown"]').count()).toBeGreaterThan(0);
      expect(await verdict.textContent()).toMatch(/not listed|not seen/i);
      await expect.poll(() => page.title()).toMatch(/not listed|not seen/i);
      expect(comforting(await wordsOn(page))).toEqual([]);
    });
  });
});

describe('no copy or export calls an unknown indicator harmless', () => {
  test.each(UNKNOWN)('every copy of %s', async (path) => {
    await visit(
      browser,
      stack.url,
      async ({ page }) => {
        await page.goto(path);
        await untilEnd(page);
        for (const form of ['Ticket summary', 'JSON', 'STIX 2.1 bundle']) {
          await page.getByRole('button', { name: 'Copy as…' }).click();
          await page.getByRole('menuitem', { name: form }).click();
          await page.getByText(`Copied: ${form}`).first().waitFor();
          const copied = await page.evaluate(() => navigator.clipboard.readText());
          expect(copied.length, form).toBeGreaterThan(20);
          // Field names come from the contract; only their values are about this indicator.
          expect(comforting(form === 'Ticket summary' ? copied : valuesIn(copied)), form).toEqual([]);
        }
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });

  test('the rows of a list, on the screen and as CSV and JSON', async () => {
    await visit(browser, stack.url, async ({ page }) => {
      await signIn(page, await stack.newPair('words@example.com'));
      await page.goto('/app/bulk');
      const text = [SAMPLE.unknownIp, SAMPLE.unknownDomain, SAMPLE.unknownHash, '300.1.2.3'].join('\n');
      await page.getByLabel('Text to read').fill(text);
      await page.locator('section[data-state="ready"] summary').first().waitFor();
      await page.getByRole('button', { name: /^Run/ }).click();
      await page.locator('section[data-state="done"]').waitFor();
      await expect.poll(() => page.getByRole('row').count()).toBeGreaterThanOrEqual(4);
      expect(comforting(await wordsOn(page))).toEqual([]);
      expect(await page.evaluate(greensOn)).toEqual([]);
      for (const form of ['CSV', 'JSON']) {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: new RegExp(`^${form}`) }).click(),
        ]);
        const saved = await readFile(await download.path(), 'utf8');
        expect(saved).toContain(SAMPLE.unknownIp);
        expect(comforting(form === 'CSV' ? saved.slice(saved.indexOf('\n')) : valuesIn(saved)), form).toEqual(
          [],
        );
      }
    });
  });
});

/** The words for what a single source says; those of the ladder are only for the whole verdict. */
const STANCES = ['Accuses', 'Describes', 'Vouches', 'Policy'];
const LADDER_WORDS = Object.values(LADDER).map(({ word }) => word);
const isOfLadder = (word: string): boolean =>
  LADDER_WORDS.includes(word as (typeof LADDER_WORDS)[number]) || /^Common service: .+/.test(word);

test('every verdict word is one of the ladder in the colour of its level, and no sentence is said twice', async () => {
  const seen = new Map<string, string>();
  for (const path of LISTED)
    await visit(browser, stack.url, async ({ page }) => {
      await page.goto(path);
      await untilEnd(page);
      await page.waitForLoadState('networkidle');
      expect(await page.locator('article').evaluate(saidTwice), path).toEqual([]);
      const marks = await page.locator('[data-tone]:not(svg)').evaluateAll((elements) =>
        elements.map((element) => ({
          word: element.textContent?.trim() ?? '',
          tone: element.getAttribute('data-tone') ?? '',
          isOfSource: element.closest('[data-source]') !== null,
        })),
      );
      const ofSources = marks.filter(({ isOfSource }) => isOfSource);
      expect(
        ofSources.filter(({ word }) => !STANCES.includes(word)),
        path,
      ).toEqual([]);
      const words = marks.filter(({ isOfSource }) => !isOfSource);
      expect(words.length, path).toBeGreaterThan(0);
      expect(
        words.filter(({ word }) => !isOfLadder(word)),
        path,
      ).toEqual([]);
      for (const { word, tone } of words) {
        expect(seen.get(word) ?? tone, word).toBe(tone);
        seen.set(word, tone);
      }
    });
  expect(Object.fromEntries(seen)).toMatchObject({
    Malicious: 'malicious',
    'High risk': 'high-risk',
    Suspicious: 'suspicious',
    Reported: 'reported',
    'Popular site': 'good',
    'Common service: Google Public DNS': 'good',
    'Not listed': 'unknown',
    'Not seen': 'unknown',
  });
});

test('the checks of this file detect planted faults', async () => {
  await visit(browser, stack.url, async ({ page }) => {
    await page.goto('/app/sign-in');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(() => {
      const [said, named, drawn, glyph] = ['p', 'button', 'p', 'p'].map((tag) => document.createElement(tag));
      if (said === undefined || named === undefined || drawn === undefined || glyph === undefined) return;
      said.textContent = 'This one is clean.';
      named.setAttribute('aria-label', 'Safe to open');
      drawn.dataset.tone = 'unknown';
      drawn.style.color = 'rgb(20, 140, 60)';
      glyph.textContent = 'Done ✓';
      document.body.append(said, named, drawn, glyph);
    });
    expect(comforting(await wordsOn(page))).toEqual(['This one is clean.', 'Safe to open']);
    expect(await page.evaluate(ticksOn)).toEqual(['✓']);
    expect(await page.evaluate(greensOn)).toContain('P color rgb(20, 140, 60)');
    expect(comforting('That is not a clean verdict.')).toEqual([]);
  });
});

/** All texts of an answer except those about related indicators, which have their own evidence. */
const valuesIn = (json: string): string => {
  const texts: string[] = [];
  const own = JSON.stringify({ ...(JSON.parse(json) as object), relatedInfrastructure: undefined });
  JSON.parse(own, (_key, value: unknown) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('\n');
};

/** Sentences that the page shows more than once. Runs in the page. */
function saidTwice(page: HTMLElement | SVGElement): string[] {
  // biome-ignore lint/performance/useDomNodeTextContent: text in closed folds is not in sight.
  const sentences = (page as HTMLElement).innerText
    .split(/\n|(?<=\.)\s/)
    .map((each) => each.trim())
    .filter((each) => /^[A-Z].{24,}\.$/.test(each));
  return sentences.filter((each, at) => sentences.indexOf(each) !== at);
}
