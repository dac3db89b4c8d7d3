import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { streamsOf, untilEnd, untilIdle, walk } from '../support/journey.ts';
import { joinPlainStack } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([joinPlainStack(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const HASH = 'ab'.repeat(32);
const asked = (): readonly (string | null)[] =>
  streamsOf(stack).map(({ url }) => new URL(url, stack.url).searchParams.get('query'));

const TYPED: readonly (readonly [what: string, typed: string, leadsTo: string, asks: string])[] = [
  ['an address', '/app/ip/45.155.205.233', '/app/ip/45.155.205.233', '45.155.205.233'],
  ['a domain', '/app/domain/login-check.com', '/app/domain/login-check.com', 'login-check.com'],
  ['a hash in capitals', `/app/hash/${HASH.toUpperCase()}`, `/app/hash/${HASH}`, HASH],
  ['a domain in capitals', '/app/domain/LOGIN-check.COM', '/app/domain/login-check.com', 'login-check.com'],
  ['a defanged address', '/app/ip/45[.]155[.]205[.]233', '/app/ip/45.155.205.233', '45.155.205.233'],
  ['a defanged domain', '/app/domain/login-check[.]com', '/app/domain/login-check.com', 'login-check.com'],
  ['an address as a domain', '/app/domain/45.155.205.233', '/app/ip/45.155.205.233', '45.155.205.233'],
  ['a domain as an address', '/app/ip/login-check.com', '/app/domain/login-check.com', 'login-check.com'],
  ['a hash as a domain', `/app/domain/${HASH}`, `/app/hash/${HASH}`, HASH],
  ['IPv6 as it is', '/app/ip/2a02:4780:1:2::3', '/app/ip/2a02:4780:1:2::3', '2a02:4780:1:2::3'],
  [
    'IPv6 encoded, long and in capitals',
    '/app/ip/2A02%3A4780%3A1%3A2%3A0%3A0%3A0%3A3',
    '/app/ip/2a02:4780:1:2::3',
    '2a02:4780:1:2::3',
  ],
  ['a name in another alphabet', '/app/domain/bücher.de', '/app/domain/xn--bcher-kva.de', 'xn--bcher-kva.de'],
  [
    'a URL encoded',
    '/app/url/https%3A%2F%2Flogin-check.com%2Fa%2F%2Fb%3Fq%3D1%26r%3D%2520x',
    '/app/url/https%3A%2F%2Flogin-check.com%2Fa%2F%2Fb%3Fq%3D1%26r%3D%2520x',
    'https://login-check.com/a//b?q=1&r=%20x',
  ],
  [
    'a URL as it is, with its query',
    '/app/url/https://login-check.com/a?q=1&r=2',
    '/app/url/https%3A%2F%2Flogin-check.com%2Fa%3Fq%3D1%26r%3D2',
    'https://login-check.com/a?q=1&r=2',
  ],
  [
    'a defanged URL',
    `/app/url/${encodeURIComponent('hxxps://login-check[.]com/a')}`,
    '/app/url/https%3A%2F%2Flogin-check.com%2Fa',
    'https://login-check.com/a',
  ],
];

test.each(TYPED)('%s leads to its canonical page and is checked once: %s', (_what, typed, leadsTo, asks) =>
  walk({ browser, stack }, async ({ page }) => {
    const before = asked().length;
    await page.goto(typed);
    await page.waitForURL((url) => url.pathname + url.search === leadsTo);
    await untilEnd(page);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(asks);
    // A check of a second spelling would have been sent by now.
    await untilIdle(page);
    expect(asked().slice(before)).toEqual([asks]);
  }),
);

test('a name in another alphabet is shown in Punycode and in Unicode', () =>
  walk({ browser, stack }, async ({ page }) => {
    await page.goto('/app/domain/xn--bcher-kva.de');
    await page.getByText('Reads as bücher.de').waitFor();
    await untilEnd(page);
  }));

test.each([
  ['a private address', '/app/ip/192.168.1.1', 'RFC 1918'],
  ['loopback', '/app/ip/127.0.0.1', 'RFC'],
  ['an IPv6 address of documentation', '/app/ip/2001:db8::1', 'RFC 3849'],
  ['a URL at a private address', '/app/url/http%3A%2F%2F10.0.0.5%2Fadmin', 'RFC 1918'],
])('%s is answered by the page itself, and no request is sent', (_what, typed, says) =>
  walk({ browser, stack }, async ({ page }) => {
    const before = asked().length;
    await page.goto(typed);
    await page.locator('article[data-state="local"]').getByText(says).waitFor();
    await page.getByText('nothing was asked and nothing was charged').waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/no threats|known good|clean|safe/i);
    expect(asked()).toHaveLength(before);
  }),
);

test.each([
  ['/app/ip/999.1.1.1'],
  ['/app/domain/not%20a%20domain'],
  ['/app/hash/abc'],
  ['/app/url/javascript%3Aalert(1)'],
])('an unreadable path gives the reason and is not sent: %s', (typed) =>
  walk({ browser, stack }, async ({ page }) => {
    const before = asked().length;
    await page.goto(typed);
    const article = page.locator('article[data-state="unreadable"]');
    await article.getByText('Correct it in the box above').waitFor();
    expect((await article.locator('p').first().textContent())?.length).toBeGreaterThan(15);
    expect(asked()).toHaveLength(before);
  }),
);

test('?q= in the address bar opens the page and is removed from the address', () =>
  walk({ browser, stack }, async ({ page }) => {
    await page.goto('/app/?q=login-check%5B.%5Dcom');
    await page.waitForURL('**/app/domain/login-check.com');
    await untilEnd(page);
    await page.goto('/app/?q=somebody%40login-check.com');
    await page.getByText('nothing was sent').waitFor();
    // A fragment stays in the browser; the path and the query no longer name the address.
    expect(page.url()).toBe(`${stack.url}/app/contact#email=somebody%40login-check.com`);
  }));

test('an unknown path is reported with help', () =>
  walk({ browser, stack }, async ({ page }) => {
    await page.goto('/app/nowhere/at/all');
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
  }));
