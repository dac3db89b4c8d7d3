import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
const files = globSync('{server/src,server/test,sdk/src,web/test}/**/*.test.ts', { cwd: ROOT }).map((path) =>
  path.replaceAll('\\', '/'),
);

/** The sections of "What the service does" with their list items, each on one line. */
const sections = page
  .slice(page.indexOf('## What the service does'), page.indexOf('## Dependencies'))
  .split(/^### /m)
  .slice(1)
  .map((section) => {
    const [title = '', ...rest] = section.split('\n');
    const items = rest.join('\n').split(/^- /m).slice(1);
    return { title, items: items.map((item) => item.replaceAll(/\s+/g, ' ').trim()) };
  });
const SURFACES = [
  'API keys',
  'Sign-in',
  'Sessions and second factors',
  'Single sign-on',
  'Organizations and tenants',
  'Email',
  'Webhooks',
  'Outgoing requests',
  'Scans',
  'Feeds and other untrusted content',
  'Callers that want to stop others',
  'Quotas and storage',
  'Behind a proxy',
  'Operators',
  'Logs and secrets at rest',
];
const testsOf = (item: string): readonly string[] => {
  const [, tests = ''] = item.split(/ Tests: (?!.* Tests: )/);
  return [...tests.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = '']) => path);
};
/** A page that named several files by one name would prove nothing. */
const filesOf = (named: string): readonly string[] =>
  files.filter((path) => path === named || path.endsWith(`/${named}`));

describe('SECURITY.md', () => {
  test('has a section for each surface', () => {
    expect(sections.map(({ title }) => title)).toEqual(SURFACES);
  });

  test('names the tests of each promise, or says that it is left to the operator', () => {
    const bare = sections.flatMap(({ title, items }) =>
      items.flatMap((item) =>
        item.startsWith('Left to you: ') || testsOf(item).length > 0
          ? []
          : [`${title}: ${item.slice(0, 80)}`],
      ),
    );
    expect(sections.flatMap(({ items }) => items).length).toBeGreaterThan(40);
    expect(bare).toEqual([]);
  });

  test('names no test that does not exist, or that could be one of several', () => {
    const named = sections.flatMap(({ items }) => items.flatMap(testsOf));
    const wrong = [...new Set(named)].filter((path) => filesOf(path).length !== 1);
    expect(wrong.map((path) => `${path}: ${filesOf(path).join(', ') || 'none'}`)).toEqual([]);
  });

  test('denies no part of the product that has routes or settings', () => {
    const DENIED = [
      /\bnot (?:yet )?(?:been )?built\b/i,
      /\bno operator access\b/i,
      /\b(?:is|are) not (?:there|available|supported|implemented)\b/i,
      /\bjust the worker reach/i,
    ];
    for (const denial of DENIED) expect(page).not.toMatch(denial);
  });
});
