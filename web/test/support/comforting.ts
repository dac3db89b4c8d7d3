import type { Page } from './browser.ts';

/**
 * Finds words that suggest safety. "Not a clean verdict", "known, not harmless" and "This doesn't mean it is safe" say the
 * opposite and are allowed.
 */
export const comforting = (text: string): readonly string[] =>
  text
    .replaceAll(
      /\bnot (?:a clean \w+|harmless)|\bno proof (?:of good|that it is harmless)|\bdoesn['’]t mean (?:it is|they are) safe\b/gi,
      '',
    )
    .match(/.{0,30}\b(?:clean|safe|harmless|benign|trustworthy)\b.{0,30}/gi) ?? [];

/** All text that a person reads or hears: visible text, titles, accessible names and hints. */
export async function wordsOn(page: Page): Promise<string> {
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

/** Ticks as characters, as generated content of a style sheet, and as icons. Runs in the page. */
export function ticksOn(): string[] {
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

/** Elements that carry evidence and are drawn in green. Runs in the page. */
export function greensOn(): string[] {
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
