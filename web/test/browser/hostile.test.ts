import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DESKTOP, openBrowser, openPage, PHONE, signIn } from '../support/browser.ts';
import { untilEnd } from '../support/journey.ts';
import { SAMPLE } from '../support/sample-peers.ts';
import { type SampleStack, startSampleStack } from '../support/sample-stack.ts';

/** Runs when it is taken for markup. */
const MARKUP = '"><img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';
const LONG = 'a'.repeat(2_000);
/** As an attacker writes them into a log, a mail or a permalink. */
const INPUTS = [
  ['markup in a URL', `https://evil.example.com/${MARKUP}`],
  ['markup alone', MARKUP],
  ['a reversed file name', 'https://evil.example.com/\u202egnp.exe'],
  ['an address that hides its middle', 'evil\u200b.exa\u00admple.com'],
  ['control characters', 'evil.example.com\u0007\u001b[31m'],
  ['a script address', 'javascript:globalThis.pwned=1'],
  ['a document address', 'data:text/html,<script>globalThis.pwned=1</script>'],
  ['a look-alike', 'аррӏе.com'],
  ['a look-alike as it travels', 'xn--80ak6aa92e.com'],
  ['a name from right to left', 'مثال.إختبار'],
  ['a very long URL', `https://evil.example.com/${LONG}`],
  ['a very long word', LONG],
  ['a reversal in what is no indicator', 'not \u202ethis one'],
  ['a formula', '=HYPERLINK("http://evil.example.com","x")'],
  ['pictures of faces', '😀.example.com'],
  ['half a character', 'evil.example.com/\ud83d'],
  ['a script in place of a host', 'https://evil.example.com/?q=javascript:alert(1)//'],
] as const;
/** What comes with an answer: names of lists, registrars, pulses, places. */
const FOREIGN = `\u202e${MARKUP}\u200b\u0007=cmd|x ${'w'.repeat(300)} 😀 مثال`;

let stack: SampleStack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startSampleStack(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe.each([
  ['a desk', DESKTOP],
  ['a phone', PHONE],
])('on %s', (_where, viewport) => {
  test.each(INPUTS)('%s in the box is words, not a page of its own making', async (_name, input) => {
    const { page, offences, close } = await openPage(browser, stack.url, { viewport });
    await page.goto('/app/');
    await page.getByLabel('Indicator to check').fill(input);
    await page.locator('form:not([data-state="unread"])').waitFor();
    await expectInert(page);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(300);
    await expectInert(page);
    expect(offences).toEqual([]);
    await close();
  });

  test.each(INPUTS)('%s in a permalink is shown as what it is', async (_name, input) => {
    for (const type of ['domain', 'url']) {
      const { page, offences, close } = await openPage(browser, stack.url, { viewport });
      await page.goto(`/app/${type}/${encodeURIComponent(input.toWellFormed())}`);
      await page.locator('article:not([data-state="running"]) h1').waitFor();
      // The reader of indicators comes last, and may turn to another page.
      await page.waitForTimeout(300);
      await page.locator('article:not([data-state="running"]) h1').waitFor();
      await expectInert(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await expectInert(page);
      expect(offences).toEqual([]);
      await close();
    }
  });

  test('what others wrote about an indicator stays text, in every panel', async () => {
    for (const path of [`/app/domain/${SAMPLE.lure}`, `/app/ip/${SAMPLE.malicious}`]) {
      const { page, offences, close } = await openPage(browser, stack.url, { viewport });
      await page.route('**/api/check/stream*', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, body: withForeignText(await answer.text()) });
      });
      await page.goto(path);
      await untilEnd(page);
      await page.getByText('U+202E').first().waitFor();
      expect(await page.getByText('U+202E').count()).toBeGreaterThan(5);
      for (const fold of await page.locator('summary:visible').all()) await fold.click();
      await expectInert(page);
      expect(offences).toEqual([]);
      await close();
    }
  });

  test('what a browser remembers, or somebody put there, stays text', async () => {
    const { page, offences, close } = await openPage(browser, stack.url, { viewport });
    await page.addInitScript(
      (checks) => localStorage.setItem('assay.recent', checks),
      JSON.stringify(
        INPUTS.map(([, value], nth) => ({
          type: (['ip', 'domain', 'url', 'hash'] as const)[nth % 4],
          value: value.toWellFormed(),
          word: nth === 3 ? FOREIGN : `${MARKUP.slice(0, 20)}\u202e`,
          tone: MARKUP,
          at: nth === 5 ? MARKUP : '2026-11-15T10:00:00Z',
        })),
      ),
    );
    await page.goto('/app/');
    await page.getByRole('table').waitFor();
    await expectInert(page);
    expect(offences).toEqual([]);
    await close();
  });

  test('a list of all of them: preview, rows and CSV', async () => {
    const { page, offences, close } = await openPage(browser, stack.url, { viewport });
    await signIn(page, await stack.newPair(`hostile-${viewport.width}@example.com`));
    await page.goto('/app/bulk');
    await page.getByLabel('Text to read').fill(INPUTS.map(([, input]) => input).join('\n'));
    await page.locator('section[data-state="ready"] summary').first().waitFor();
    for (const fold of await page.locator('section[data-state="ready"] summary').all()) await fold.click();
    await expectInert(page);
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.locator('section[data-state="done"]').waitFor();
    expect(await page.getByRole('row').count()).toBeGreaterThan(3);
    await expectInert(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const saved = await readFile(await download.path(), 'utf8');
    expect(saved.split(/[\r\n,]+/).filter((cell) => /^"?[=+\-@\t]/.test(cell))).toEqual([]);
    expect(offences).toEqual([]);
    await close();
  });
});

test('what is copied is what was checked, to the letter', async () => {
  const { page, offences, close } = await openPage(browser, stack.url, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/check/stream')) asked.push(url.searchParams.get('query') ?? '');
  });
  await page.goto(`/app/url/${encodeURIComponent(`https://evil.example.com/\u202egnp.exe?${MARKUP}`)}`);
  await untilEnd(page);
  await page.keyboard.press('Y');
  await page.getByText('Copied: Raw value').first().waitFor();
  expect(asked).toHaveLength(1);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(asked[0]);
  expect(offences).toEqual([]);
  await close();
});

test('the eyes of this test see what it looks for', async () => {
  const { page, close } = await openPage(browser, stack.url);
  await page.goto('/app/sign-in');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.setAttribute('href', 'http://evil.example.com/');
    link.setAttribute('aria-label', 'hidden\u202e');
    link.textContent = 'zero\u200bwidth';
    const wide = document.createElement('div');
    wide.style.width = '5000px';
    wide.style.height = '1px';
    document.body.append(link, wide, document.createElement('iframe'));
    document.title = 'a\u202eb';
  });
  const found = await page.evaluate(faultsOn);
  expect(found.map((fault) => fault.split(':')[0])).toEqual([
    'title',
    'text',
    'attribute',
    'link',
    'element',
    'sideways',
  ]);
  await close();
});

async function expectInert(page: Page): Promise<void> {
  expect(await page.evaluate(faultsOn)).toEqual([]);
}

/** Everything that foreign text must not have become. Runs in the page. */
function faultsOn(): string[] {
  const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
  const faults: string[] = [];
  if ('pwned' in globalThis) faults.push('script: it ran');
  if (hidden.test(document.title)) faults.push(`title: ${document.title}`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode() !== null) {
    const { nodeValue, parentElement } = texts.currentNode;
    // What somebody types is theirs; only what we show is ours.
    if (parentElement?.closest('script, textarea') === null && hidden.test(nodeValue ?? ''))
      faults.push(`text: ${parentElement?.parentElement?.outerHTML.slice(0, 200)}`);
  }
  for (const element of document.body.querySelectorAll('*'))
    for (const name of ['aria-label', 'title', 'alt', 'placeholder', 'aria-description'])
      if (hidden.test(element.getAttribute(name) ?? ''))
        faults.push(`attribute: ${name} of ${element.outerHTML.slice(0, 300)}`);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href], area[href], form[action]'))
    if (
      !/^\/(?:app|docs)(?:[/#?]|$)/.test(new URL(link.href, location.href).pathname) ||
      link.origin !== location.origin
    )
      faults.push(`link: ${link.href.slice(0, 80)}`);
  for (const element of document.body.querySelectorAll(
    'img, iframe, object, embed, script:not([nonce]), base',
  ))
    faults.push(`element: ${element.tagName}`);
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) faults.push(`sideways: ${scrollWidth} in ${innerWidth}`);
  return faults;
}

const WRITTEN_BY_OTHERS = new Set(
  'name registrar registrant title author description city country org isp issuer subject product reasons tags server'.split(
    ' ',
  ),
);

/** The real answer, with foreign text behind everything that others wrote. */
const withForeignText = (stream: string): string =>
  stream.replaceAll(/^data: (.*)$/gm, (_line, json: string) => {
    const told: unknown = JSON.parse(json, (key, value: unknown) => {
      if (!WRITTEN_BY_OTHERS.has(key)) return value;
      if (typeof value === 'string') return value + FOREIGN;
      return Array.isArray(value)
        ? value.map((each: unknown) => (typeof each === 'string' ? each + FOREIGN : each))
        : value;
    });
    return `data: ${JSON.stringify(told)}`;
  });
