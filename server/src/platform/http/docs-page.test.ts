import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readableJson } from './docs-example.ts';
import { renderDocs } from './docs-page.ts';
import { callersOf, costOf } from './docs-route.ts';
import { text } from './docs-schema.ts';
import { describeApi } from './openapi.ts';
import { KEYED, type Policy } from './policy.ts';
import { type Route, route } from './route.ts';

const POLICY: Policy = { ...KEYED, plan: 'PRO', meter: 'checks', cost: () => 2, costNote: '1 per entity' };
const Source = z.object({ name: z.string().max(9) }).meta({ id: 'PageSource' });
const routes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/things/:id',
    summary: 'One <thing>.',
    description: 'With `code` & more.',
    tags: ['things-of-ours'],
    policy: POLICY,
    params: z.object({ id: z.string().max(40).describe('Its id.') }),
    query: z.object({
      limit: z.coerce.number().int().min(1).max(50).default(20),
      deep: z.enum(['yes', 'no']),
    }),
    reply: z.object({ source: Source }),
    handle: () => ({ source: { name: '' } }),
  }),
  route({
    method: 'GET',
    path: '/things',
    summary: 'Some.',
    tags: ['things-of-ours'],
    policy: POLICY,
    query: z.object({
      plain: z.string().max(9).optional(),
      ip: z
        .string()
        .max(9)
        .optional()
        .meta({ examples: ['1.1.1.1'] }),
      asn: z
        .string()
        .max(9)
        .optional()
        .meta({ examples: ['AS1'] }),
    }),
    reply: z.array(Source),
    handle: () => [],
  }),
  route({
    method: 'POST',
    path: '/things',
    summary: 'Another.',
    tags: ['things-of-ours'],
    policy: { ...POLICY, licence: true, deprecated: { at: '2026-01-01', sunset: '2026-09-01' } },
    query: z.object({ note: z.string().max(9).optional() }),
    body: z.object({ sources: z.array(Source).max(4) }),
    status: 201,
    reply: Source,
    handle: () => ({ name: '' }),
  }),
  route({
    method: 'DELETE',
    path: '/things/:id',
    summary: 'Away with it.',
    tags: ['things-of-ours'],
    policy: { ...POLICY, auth: 'session' },
    params: z.object({ id: z.string().max(40) }),
    status: 204,
    reply: z.undefined(),
    handle: () => undefined,
  }),
];
const description = describeApi(routes, {
  apiUrl: 'https://api.test/',
  webUrl: 'https://web.test',
  samples: new Map([['getThingsId', { source: { name: '</code>' } }]]),
});
const fonts = { sans: '/app/assets/sans-1.woff2', mono: '/app/assets/mono-1.woff2' };
const { html, csp } = renderDocs(description, { dashboardUrl: 'https://web.test/app/', fonts });
const partsOf = (tag: string, of = html): string[] =>
  [...of.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, inner = '']) => inner);

test('every text is escaped', () => {
  expect(text(`<img src=x onerror='1'>"&`)).toBe('&lt;img src=x onerror=&#39;1&#39;&gt;&quot;&amp;');
  expect(html).toContain('One &lt;thing&gt;.');
  expect(html).toContain('With <code>code</code> &amp; more.');
  expect(html).toContain('&quot;name&quot;: &quot;&lt;/code&gt;&quot;');
  expect(html).not.toContain('<thing>');
});

describe('the policy of the page', () => {
  test('allows its scripts and its style by hash alone, fonts of this host, and nothing else', () => {
    const hashOf = (source: string) => `'sha256-${hash('sha256', source, 'base64')}'`;
    expect(csp.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${partsOf('script').map(hashOf).join(' ')}`,
      `style-src ${partsOf('style').map(hashOf).join(' ')}`,
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
    expect(partsOf('script')).toHaveLength(2);
    expect(html.match(/<script/g)).toHaveLength(2);
  });

  test('without a built dashboard there is no font to load', () => {
    const bare = renderDocs(description, { dashboardUrl: '/app/', fonts: {} });
    expect(bare.csp).not.toContain('font-src');
    expect(bare.html).not.toContain('url(');
  });

  test('nothing is loaded from other hosts, and no attribute is script or style', () => {
    expect(html).not.toMatch(/https?:\/\/(?!api\.test|web\.test)|@import| style="| on\w+="| src="/);
    expect([...html.matchAll(/url\("([^"]*)"\)/g)].map(([, address]) => address)).toEqual(
      Object.values(fonts),
    );
  });
});

test('every link leads somewhere on the page, to the description or to the dashboard', () => {
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...html.replaceAll(/<script>.*?<\/script>/gs, '').matchAll(/href="([^"]+)"/g)].map(
    ([, target = '']) => target,
  );
  expect(targets.length).toBeGreaterThan(10);
  expect(targets.filter((target) => !target.startsWith('#') || !ids.has(target.slice(1)))).toEqual([
    'https://web.test/app/',
    'openapi.json',
  ]);
});

test('routes are grouped under their tag in words, with the methods beside the paths', () => {
  expect(html).toContain('<h2>Things of ours</h2><ul><li><a href="#getThingsId">');
  expect(html.match(/class="route"/g)).toHaveLength(4);
});

describe('a command', () => {
  test('has the required parameters, and without any the first with an example', () => {
    expect(html).toContain('curl &#39;https://api.test/things/text?deep=yes&#39;');
    expect(html).toContain('curl &#39;https://api.test/things?ip=1.1.1.1&#39;');
  });

  test('carries the credential of the route, its licence and its body', () => {
    expect(html).toContain('-H &quot;X-API-KEY: $ASSAY_KEY&quot;');
    expect(html).toContain('-H &quot;X-License-Key: $ASSAY_LICENCE&quot;');
    expect(html).toContain('-H &quot;Cookie: $ASSAY_SESSION&quot; -H &#39;Origin: https://api.test&#39;');
    expect(html).toContain('-d &#39;{&quot;sources&quot;:[{&quot;name&quot;:&quot;text&quot;}]}&#39;');
  });
});

test('a route has its callers, its costs, its limits, its errors and its deprecation in words', () => {
  expect(html).toContain('<dd>A key or a session of the dashboard. Plan PRO or above.</dd>');
  expect(html).toContain('<dd>1 request of the burst. Checks of the month: 1 per entity.</dd>');
  expect(html).toContain('<dd>Answers within 10 s. Body up to 64 KiB.</dd>');
  expect(html).toContain('(default 20, at least 1, at most 50)');
  expect(html).toContain('<summary>Errors: 400, 401, 403, 404, 408, 429, 431, 500, 503</summary>');
  expect(html).toContain('Deprecated since 2026-01-01; answers until 2026-09-01.');
  expect(html).toContain('<h4>Answer 204</h4><p>No body.</p>');
});

test('every meter and every demand of a policy has its words', () => {
  expect(costOf({ meter: 'none' })).toBe('Nothing.');
  expect(costOf({ meter: 'burst' })).toBe('1 request of the burst.');
  expect(costOf({ meter: 'scans' })).toBe('1 request of the burst and 1 scan of the month.');
  expect(callersOf({ auth: 'key', role: ['OWNER', 'ADMIN'], organization: true, licence: true })).toBe(
    'A key. Role OWNER or ADMIN. Members of an organization. With an active X-License-Key.',
  );
});

test('a sample is the same JSON on as few lines as can be read', () => {
  const value = {
    list: [1, [2]],
    none: [],
    empty: {},
    text: 'a\n"b"',
    long: ['x'.repeat(50), 'y'.repeat(50)],
  };
  expect(JSON.parse(readableJson(value))).toEqual(value);
  expect(readableJson(value).split('\n').slice(0, 3)).toEqual(['{', '  "list": [1, [2]],', '  "none": [],']);
});
