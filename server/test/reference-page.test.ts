import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { describeRoutes } from '#app/build-app.ts';
import { readSampleAnswers } from '#app/read-sample-answers.ts';
import { CheckEvent } from '#capabilities/check/contract-stream.ts';
import { renderDocs } from '#platform/http/docs-page.ts';
import { DOCS_TOKENS } from '#platform/http/docs-style.ts';
import { describeApi, operationId, templateOf } from '#platform/http/openapi.ts';
import type { Route } from '#platform/http/route.ts';

const ROOT = join(import.meta.dirname, '../..');
/** A page for people may not become a download: 51 kB when this was written, 133 kB with every route of the contract. */
const GZIP_MAX = 145_000;

const routes = describeRoutes();
const samples = readSampleAnswers();
const description = describeApi(routes, {
  apiUrl: 'https://api.test',
  webUrl: 'https://web.test',
  samples,
});
const { html } = renderDocs(description, { dashboardUrl: '/app/', fonts: {} });
const articles = new Map(
  html.split('<article class="route" id="').map((part) => [part.slice(0, part.indexOf('"')), part]),
);
const named = routes.map((route): [string, Route] => [operationId(route), route]);
const hasBody = ({ status = 200 }: Route): boolean => status !== 204 && status < 300;
const isJson = (route: Route): boolean =>
  (route.produces ?? 'application/json').startsWith('application/json') && hasBody(route);

describe('the reference of every route', () => {
  test.each(named)('%s has its heading, a command, its callers, costs and errors', (id, route) => {
    const article = articles.get(id) ?? '';
    expect(article).toContain(`<span class="method">${route.method}</span>`);
    expect(article).toContain(`<a href="#${id}">${templateOf(route)}</a>`);
    for (const part of ['<code>curl ', '<dt>Who</dt>', '<dt>Costs</dt>', 'Errors: '])
      expect(article).toContain(part);
    if (!hasBody(route)) expect(article).toContain('No body.');
    else if (id !== 'getDocs') expect(article).toContain(`Sample answer ${route.status ?? 200}, `);
  });

  test.each(named.filter(([, route]) => isJson(route)))(
    '%s has a sample answer in the exact shape of its reply',
    (id, { reply }) => {
      const sample = samples.get(id);
      if (sample === undefined) throw new Error(`Add server/src/app/sample-answers/${id}.json.`);
      const read = reply.safeParse(sample);
      expect(read.error?.issues ?? []).toEqual([]);
      // Parsing drops fields that the reply does not have, so the sample must still be equal afterwards.
      expect(read.data).toEqual(sample);
    },
  );

  test('the sample of the stream consists of events of its contract', () => {
    const lines = String(samples.get('getCheckStream')).split('\n');
    const events = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
    expect(events.length).toBeGreaterThan(1);
    for (const event of events)
      expect(CheckEvent.parse(JSON.parse(event)), event.slice(0, 40)).toEqual(JSON.parse(event));
  });

  test('every sample belongs to a route, and none is filled with placeholders', () => {
    const ids = new Set(named.map(([id]) => id));
    expect([...samples.keys()].filter((id) => !ids.has(id))).toEqual([]);
    for (const [id, sample] of samples)
      expect(JSON.stringify(sample), id).not.toMatch(/"(?!format)\w+":"text"|lorem/i);
  });
});

test('the page stays light', () => {
  expect(gzipSync(html).length).toBeLessThan(GZIP_MAX);
});

test('the page has the colours, fonts and radii of the dashboard', () => {
  const tokens = readFileSync(join(ROOT, 'web/src/style/tokens.css'), 'utf8');
  const own = [...DOCS_TOKENS.matchAll(/--[\w-]+: [^;]+;/g)].map(([token]) => token);
  expect(own.length).toBeGreaterThan(12);
  for (const token of own) expect(tokens).toContain(token);
  for (const theme of ['light', 'dark']) expect(html).toContain(`:root[data-theme="${theme}"]`);
});
