import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, openPage, signIn } from '../support/browser.ts';
import { untilEnd } from '../support/journey.ts';
import { sceneOpener } from '../support/open-scene.ts';
import { SAMPLE } from '../support/sample-peers.ts';
import { type SampleStack, startSampleStack } from '../support/sample-stack.ts';
import { SCENES } from '../support/screens.ts';

/** What nobody has seen, or too little is known of. */
const UNKNOWN = [
  `/app/ip/${SAMPLE.unknownIp}`,
  `/app/domain/${SAMPLE.unknownDomain}`,
  `/app/hash/${SAMPLE.unknownHash}`,
  `/app/url/${encodeURIComponent(`http://${SAMPLE.unknownDomain}/a/b`)}`,
] as const;

let stack: SampleStack;
let browser: Browser;
let open: Awaited<ReturnType<typeof sceneOpener>>;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startSampleStack(), openBrowser()]);
  open = await sceneOpener(stack, browser);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe('no screen calls the unknown harmless', () => {
  test.each(SCENES)('$name: no word, no tick and no green that sounds like "clean"', async (scene) => {
    const { page, offences, close } = await open(scene);
    expect(comforting(await wordsOn(page))).toEqual([]);
    expect(await page.evaluate(ticksOn)).toEqual([]);
    expect(await page.evaluate(greensOn)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.evaluate(greensOn)).toEqual([]);
    expect(offences).toEqual([]);
    await close();
  });

  test.each(UNKNOWN)('%s says that it is not known, in a shape and in words', async (path) => {
    const { page, offences, close } = await openPage(browser, stack.url);
    await page.goto(path);
    await untilEnd(page);
    const verdict = page.getByRole('region', { name: 'Verdict' });
    expect(await verdict.locator('[data-tone="unknown"]').count()).toBeGreaterThan(0);
    expect(await verdict.textContent()).toMatch(/unknown|not seen/i);
    expect(await page.title()).toMatch(/unknown|not seen/i);
    expect(comforting(await wordsOn(page))).toEqual([]);
    expect(offences).toEqual([]);
    await close();
  });
});

describe('nothing that is taken along does either', () => {
  test.each(UNKNOWN)('every copy of %s', async (path) => {
    const { page, offences, close } = await openPage(browser, stack.url, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(path);
    await untilEnd(page);
    for (const form of ['Ticket summary', 'JSON', 'STIX 2.1 bundle']) {
      await page.getByRole('button', { name: 'Copy as…' }).click();
      await page.getByRole('menuitem', { name: form }).click();
      await page.getByText(`Copied: ${form}`).first().waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied.length, form).toBeGreaterThan(20);
      // Names of fields are the contract's; what stands in them is about this indicator.
      expect(comforting(form === 'Ticket summary' ? copied : valuesIn(copied)), form).toEqual([]);
    }
    expect(offences).toEqual([]);
    await close();
  });

  test('the rows of a list, on the screen and as CSV and JSON', async () => {
    const { page, offences, close } = await openPage(browser, stack.url);
    await signIn(page, await stack.newPair('words@example.com'));
    await page.goto('/app/bulk');
    const text = [SAMPLE.unknownIp, SAMPLE.unknownDomain, SAMPLE.unknownHash, '300.1.2.3'].join('\n');
    await page.getByLabel('Text to read').fill(text);
    await page.locator('section[data-state="ready"] summary').first().waitFor();
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.locator('section[data-state="done"]').waitFor();
    expect(await page.getByRole('row').count()).toBeGreaterThanOrEqual(4);
    expect(comforting(await wordsOn(page))).toEqual([]);
    expect(await page.evaluate(greensOn)).toEqual([]);
    for (const form of ['CSV', 'JSON']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: form }).click(),
      ]);
      const saved = await readFile(await download.path(), 'utf8');
      expect(saved).toContain(SAMPLE.unknownIp);
      expect(comforting(form === 'CSV' ? saved.slice(saved.indexOf('\n')) : valuesIn(saved)), form).toEqual(
        [],
      );
    }
    expect(offences).toEqual([]);
    await close();
  });
});

test('the eyes of this test see what it looks for', async () => {
  const { page, close } = await openPage(browser, stack.url);
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
  await close();
});

/** "Not a clean verdict" and "known, not harmless" say the opposite; any other use of these words is comfort. */
const comforting = (text: string): readonly string[] =>
  text
    .replaceAll(/\bnot (?:a clean \w+|harmless)|\bno proof (?:of good|that it is harmless)/gi, '')
    .match(/.{0,30}\b(?:clean|safe|harmless|benign|trustworthy)\b.{0,30}/gi) ?? [];

/** All that is read or heard: text, title, names and hints. */
async function wordsOn(page: Page): Promise<string> {
  const said = await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const words: string[] = [];
    while (texts.nextNode() !== null) {
      const { parentElement, nodeValue } = texts.currentNode;
      if (parentElement?.closest('script, style, noscript') === null) words.push(nodeValue ?? '');
    }
    const names = ['aria-label', 'aria-description', 'title', 'alt', 'placeholder'];
    for (const element of document.querySelectorAll('*'))
      for (const name of names) words.push(element.getAttribute(name) ?? '');
    return words;
  });
  return [await page.title(), ...said].join('\n');
}

/** Without what it says of others: each of them has its own evidence. */
const valuesIn = (json: string): string => {
  const texts: string[] = [];
  const own = JSON.stringify({ ...(JSON.parse(json) as object), relatedInfrastructure: undefined });
  JSON.parse(own, (_key, value: unknown) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('\n');
};

/** Ticks as letters, as what a style sheet puts before a text, and as drawn by icon sets. Runs in the page. */
function ticksOn(): string[] {
  const glyph = /[\u2713\u2714\u2705\u2611\u{1f5f8}\u{1f7e2}\u{1f44d}]/gu;
  const drawn = /M20 6 9 17l-5-5|m9 12 2 2 4-4/;
  const all = [...document.querySelectorAll('*')];
  return [
    ...(document.body.textContent.match(glyph) ?? []),
    ...all.flatMap((element) =>
      ['::before', '::after'].flatMap((part) => getComputedStyle(element, part).content.match(glyph) ?? []),
    ),
    ...all.map((element) => element.getAttribute('d') ?? '').filter((path) => drawn.test(path)),
  ];
}

/** Whatever carries evidence and is drawn in green. Runs in the page. */
function greensOn(): string[] {
  const isGreen = (colour: string): boolean => {
    const [r = 0, g = 0, b = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
    const [high, low] = [Math.max(r, g, b), Math.min(r, g, b)];
    if (!colour.startsWith('rgb') || alpha === 0 || g !== high || high - low < 30) return false;
    const hue = 120 + (60 * (b - r)) / (high - low);
    return hue > 75 && hue < 165;
  };
  const evidence = document.querySelectorAll('[data-tone], [data-tone] *, [aria-label="Verdict"] *, svg *');
  return [...evidence].flatMap((element) => {
    const style = getComputedStyle(element);
    return (['color', 'backgroundColor', 'borderTopColor', 'fill', 'stroke'] as const)
      .filter((property) => isGreen(style[property]))
      .map((property) => `${element.tagName} ${property} ${style[property]}`);
  });
}
