import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bySize } from '../../../server/test/support/lane.ts';
import { DESKTOP, openBrowser, PHONE, signIn, visit } from '../support/browser.ts';
import { untilEnd, untilIdle } from '../support/journey.ts';
import { sidewaysOf } from '../support/page-rules.ts';
import { SAMPLE } from '../support/sample-peers.ts';
import { joinSampleStacks, type SampleStacks } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

/** Markup that runs a script if a page inserts it unescaped. */
const MARKUP = '"><img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';
const LONG = 'a'.repeat(2_000);
/** Inputs that an attacker may place in a log, a mail or a permalink. */
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
  ['a reversal in a text without an indicator', 'not \u202ethis one'],
  ['a formula', '=HYPERLINK("http://evil.example.com","x")'],
  ['pictures of faces', '😀.example.com'],
  ['half a character', 'evil.example.com/\ud83d'],
  ['a script in place of a host', 'https://evil.example.com/?q=javascript:alert(1)//'],
] as const;
/** Foreign text in an answer: names of lists, registrars, pulses, places. */
const FOREIGN = `\u202e${MARKUP}\u200b\u0007=cmd|x ${'w'.repeat(300)} 😀 مثال`;

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

type Size = { readonly width: number; readonly height: number };
/**
 * The landing lane opens a page once and then resizes it to the width of a phone; a proof opens it in either
 * size.
 */
const PLACES = bySize<readonly (readonly [where: string, sizes: readonly [Size, ...Size[]]])[]>(
  [['a desk that turns into a phone', [DESKTOP, PHONE]]],
  [
    ['a desk', [DESKTOP]],
    ['a phone', [PHONE]],
  ],
);

/** The landing lane writes every second input into the box and opens the others as permalinks. */
const inTurn = (remainder: number): readonly (typeof INPUTS)[number][] =>
  INPUTS.filter((_, nth) => bySize(nth % 2 === remainder, true));

describe.each(PLACES)('on %s', (_where, sizes) => {
  const [viewport] = sizes;
  const expectInert = async (page: Page): Promise<void> => {
    for (const size of sizes) {
      if (sizes.length > 1) await page.setViewportSize(size);
      await untilIdle(page);
      // Charts are drawn again a moment after their width has changed.
      await expect.poll(() => sidewaysOf(page)).toEqual([]);
      expect(await page.evaluate(faultsOn)).toEqual([]);
    }
    if (sizes.length > 1) await page.setViewportSize(viewport);
  };

  test.each(inTurn(0))('%s in the box is shown as text and cannot change the page', async (_name, input) => {
    await visit(
      browser,
      stack.url,
      async ({ page }) => {
        await page.goto('/app/');
        await page.getByLabel('Indicator to check').fill(input);
        await page.locator('form:not([data-state="unread"])').waitFor();
        await expectInert(page);
        await page.keyboard.press('Enter');
        await untilIdle(page);
        await expectInert(page);
      },
      { viewport },
    );
  });

  test.each(inTurn(1))('%s in a permalink is shown as text', async (_name, input) => {
    await visit(
      browser,
      stack.url,
      async ({ page, offences }) => {
        for (const type of ['domain', 'url']) {
          await page.goto(`/app/${type}/${encodeURIComponent(input.toWellFormed())}`);
          await page.locator('article:not([data-state="running"]) h1').waitFor();
          // The parser of indicators is loaded last, and may open another page.
          await page.waitForLoadState('networkidle');
          await page.locator('article:not([data-state="running"]) h1').waitFor();
          await expectInert(page);
          await page.keyboard.press('Control+k');
          await page.getByRole('dialog').waitFor();
          await expectInert(page);
          expect(offences).toEqual([]);
        }
      },
      { viewport },
    );
  });

  test('foreign text about an indicator stays text in every panel', async () => {
    for (const path of [`/app/domain/${SAMPLE.lure}`, `/app/ip/${SAMPLE.malicious}`]) {
      await visit(
        browser,
        stack.url,
        async ({ page }) => {
          await page.route('**/api/check/stream*', async (route) => {
            const answer = await route.fetch();
            await route.fulfill({ response: answer, body: withForeignText(await answer.text()) });
          });
          await page.goto(path);
          await untilEnd(page);
          await page.getByText('U+202E').first().waitFor();
          await expect.poll(() => page.getByText('U+202E').count()).toBeGreaterThan(5);
          // The last panels load after the answer.
          await page.waitForLoadState('networkidle');
          for (const fold of await page.locator('summary:visible').all()) await fold.click();
          await expectInert(page);
        },
        { viewport },
      );
    }
  });

  test('stored browser data, also when manipulated, stays text', async () => {
    await visit(
      browser,
      stack.url,
      async ({ page }) => {
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
      },
      { viewport },
    );
  });

  test('a list of all hostile inputs stays text in preview, rows and CSV', async () => {
    await visit(
      browser,
      stack.url,
      async ({ page }) => {
        await signIn(page, await stack.newPair(`hostile-${viewport.width}@example.com`));
        await page.goto('/app/bulk');
        await page.getByLabel('Text to read').fill(INPUTS.map(([, input]) => input).join('\n'));
        await page.locator('section[data-state="ready"] summary').first().waitFor();
        for (const fold of await page.locator('section[data-state="ready"] summary').all())
          await fold.click();
        await expectInert(page);
        await page.getByRole('button', { name: /^Run/ }).click();
        await page.locator('section[data-state="done"]').waitFor();
        await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(3);
        await expectInert(page);
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: /^CSV/ }).click(),
        ]);
        const saved = await readFile(await download.path(), 'utf8');
        expect(saved.split(/[\r\n,]+/).filter((cell) => /^"?[=+\-@\t]/.test(cell))).toEqual([]);
      },
      { viewport },
    );
  });
});

test('the copied text equals the checked indicator exactly', async () => {
  await visit(
    browser,
    stack.url,
    async ({ page }) => {
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
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
});

test('the checks of this file detect planted faults', async () => {
  await visit(browser, stack.url, async ({ page }) => {
    await page.goto('/app/sign-in');
    await page.getByRole('heading', { level: 1 }).waitFor();
    // The page sets its title after it is drawn, and would replace the planted one.
    await expect.poll(() => page.title()).toBe('Sign in · Assay');
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
  });
});

/** All faults that foreign text must not cause. Runs in the page. */
function faultsOn(): string[] {
  const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
  const faults: string[] = [];
  if ('pwned' in globalThis) faults.push('script: it ran');
  if (hidden.test(document.title)) faults.push(`title: ${document.title}`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode() !== null) {
    const { nodeValue, parentElement } = texts.currentNode;
    // Text that a user types may hold hidden characters; text that the page shows may not.
    if (parentElement?.closest('script, textarea') === null && hidden.test(nodeValue ?? ''))
      faults.push(`text: ${parentElement?.parentElement?.outerHTML.slice(0, 200)}`);
  }
  for (const element of document.body.querySelectorAll('*'))
    for (const name of ['aria-label', 'title', 'alt', 'placeholder', 'aria-description'])
      if (hidden.test(element.getAttribute(name) ?? ''))
        faults.push(`attribute: ${name} of ${element.outerHTML.slice(0, 300)}`);
  // A link to another host must show that host and must not send it a referrer.
  const isOutward = ({ protocol, host, target, relList, textContent }: HTMLAnchorElement): boolean =>
    /^https?:$/.test(protocol) &&
    target === '_blank' &&
    ['noreferrer', 'noopener', 'nofollow'].every((word) => relList.contains(word)) &&
    textContent?.includes(host) === true;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href], area[href], form[action]')) {
    const isHere =
      link.origin === location.origin &&
      /^\/(?:app|docs)(?:[/#?]|$)/.test(new URL(link.href, location.href).pathname);
    if (!isHere && !isOutward(link)) faults.push(`link: ${link.href.slice(0, 80)}`);
  }
  for (const element of document.body.querySelectorAll(
    'img, iframe, object, embed, script:not([nonce]), base',
  ))
    faults.push(`element: ${element.tagName}`);
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) faults.push(`sideways: ${scrollWidth} in ${innerWidth}`);
  return faults;
}

const WRITTEN_BY_OTHERS = new Set(
  'name family registrar registrant title author description city country org isp issuer subject product reasons tags server'.split(
    ' ',
  ),
);

const REFERENCES = [
  'javascript:globalThis.pwned=1',
  `https://report.example.net/\u202e${MARKUP}`,
  'data:text/html,<script>globalThis.pwned=1</script>',
];
type Entry = { readonly dating?: string };

/** The real answer, with hostile text added to every string that third parties wrote, and with reports of all kinds. */
const withForeignText = (stream: string): string =>
  stream.replaceAll(/^data: (.*)$/gm, (_line, json: string) => {
    const told: unknown = JSON.parse(json, (key, value: unknown) => {
      if (key === 'sources') nameEntries(value);
      if (!WRITTEN_BY_OTHERS.has(key)) return value;
      if (typeof value === 'string') return value + FOREIGN;
      return Array.isArray(value)
        ? value.map((each: unknown) => (typeof each === 'string' ? each + FOREIGN : each))
        : value;
    });
    return `data: ${JSON.stringify(told)}`;
  });

function nameEntries(value: unknown): void {
  if (!Array.isArray(value)) return;
  for (const [nth, entry] of (value as Entry[]).entries())
    if (entry.dating !== undefined)
      Object.assign(entry, { family: FOREIGN, reference: REFERENCES[nth % REFERENCES.length] });
}
