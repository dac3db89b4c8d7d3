import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createResolver, localLinksOf } from '#test/anchors.ts';
import { citationsOf } from '#test/citations.ts';

const ROOT = join(import.meta.dirname, '../..');
const IGNORED = /(^|\/)(node_modules|dist|generated|\.git|results)(\/|$)/;
const READ = [
  'server/{src,test,migrations}/**/*.{ts,sql,lua,md}',
  '{sdk,web,demo,bench,integrations}/**/*.{ts,tsx,css,html,md}',
  'docs/**/*.md',
  '*.md',
];
/** A collector that finds no citation would pass, so the test demands a minimum. */
const CITATIONS_MIN = 700;

const listed = (patterns: string | readonly string[]): readonly string[] =>
  globSync([patterns].flat(), { cwd: ROOT, exclude: (path) => IGNORED.test(path) }).map((path) =>
    path.replaceAll('\\', '/'),
  );
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const everything = listed('**/*');
const sources = listed(READ).map((path) => ({ path, text: read(path) }));
const isThere = createResolver(everything, read);
const citations = sources.flatMap(citationsOf);

describe('rules that code, tests and pages cite', () => {
  test(`all ${citations.length} citations in ${sources.length} files resolve to an anchor of this repository`, () => {
    process.stdout.write(`${citations.length} citations in ${sources.length} files\n`);
    expect(citations.length).toBeGreaterThan(CITATIONS_MIN);
    const lost = citations.filter(({ target }) => target === null || !isThere(target));
    expect(
      lost.map(
        ({ path, line, text, target }) => `${path}:${line}: "${text}" (${target ?? 'say whose rule it is'})`,
      ),
    ).toEqual([]);
  });

  test('links of the pages lead to a file, and to an anchor where they name one', () => {
    const links = sources.filter(({ path }) => path.endsWith('.md')).flatMap(localLinksOf);
    expect(links.length).toBeGreaterThan(100);
    const lost = links.filter(({ target }) => !isThere(decodeURIComponent(target)));
    expect(lost.map(({ path, line, target }) => `${path}:${line}: ${target}`)).toEqual([]);
  });

  test('every test that docs/reliability.md names as a proof exists', () => {
    const named = [...read('docs/reliability.md').matchAll(/`([\w./-]+\.test\.ts)`/g)].map(
      (match) => match[1] ?? '',
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !everything.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
  });
});

const targetsOf = (path: string, text: string): readonly (string | null)[] =>
  citationsOf({ path, text }).map(({ target }) => target?.replace('docs/', '') ?? null);

describe('citations in a text', () => {
  test.each([
    ['// contract 2.1 rule 4', ['contract.md#contract-2.1-rule-4']],
    [
      '// Contract 2.1 rules 2 and 3.',
      ['contract.md#contract-2.1-rule-2', 'contract.md#contract-2.1-rule-3'],
    ],
    ['// (contract 4.6 and 5 rule 2)', ['contract.md#contract-4.6', 'contract.md#contract-5-rule-2']],
    ['// (decisions 1.2, 404)', ['contract.md#decisions-1.2']],
    [
      '// decisions 3.1, G7, 1.4;',
      ['contract.md#decisions-3.1', 'contract.md#G7', 'contract.md#decisions-1.4'],
    ],
    ['// G8-G10', ['contract.md#G8', 'contract.md#G9', 'contract.md#G10']],
    ['// traps 14 to 16a', ['14', '15', '16', '16a'].map((n) => `contract.md#trap-${n}`)],
    ['// trap 53, 20 links', ['contract.md#trap-53']],
    ['// (scoring 3, ruling 4)', ['scoring.md#section-3', 'scoring.md#ruling-4']],
    ['// scoring rulings 5 and 12', ['scoring.md#ruling-5', 'scoring.md#ruling-12']],
    ['// scoring finding 10', ['scoring.md#finding-10']],
    ['// reliability 5.5 and A6', ['reliability.md#5.5', 'reliability.md#A6']],
    ['// reliability 3.F', ['reliability.md#3.F']],
    ['/**\n * (foundation\n * rule 12)\n */', ['ARCHITECTURE.md#foundation-rule-12']],
    ['// docs/decisions/0008 and migration 0006', ['decisions/0008-', 'server/migrations/0006_']],
    ['// rule 4, section 5, finding 2', [null, null, null]],
    ['// decisions 1.3.4', [null]],
    ['// interface 4.9', [null]],
    ['// RFC 3986 section 3.2.2, STIX 2.1 section 9', []],
    ['// a C2 server; C0 and C1 controls', []],
    ["const G6 = 'trap 999 of G77';", []],
  ])('%j', (text, expected) => {
    expect(targetsOf('server/src/a.ts', text)).toEqual(expected);
  });

  test('test titles are read for citations, other strings of a test are not', () => {
    const text =
      "describe('A7', () => {\n  test.each(X)('trap 61: %s', () => {\n    expect(id).toBe('D1');\n});";
    expect(targetsOf('server/src/a.test.ts', text)).toEqual(['reliability.md#A7', 'contract.md#trap-61']);
  });

  test('a page may cite its own sections without a name, and decisions by number', () => {
    expect(targetsOf('docs/scoring.md', 'section 4 (0009)')).toEqual([
      'scoring.md#section-4',
      'decisions/0009-',
    ]);
  });

  test('a planted citation of a missing rule is found with its file and line', () => {
    const planted = { path: 'server/src/a.ts', text: '\n// Only once (contract 2.1 rule 99).\n' };
    const [found] = citationsOf(planted);
    expect(found).toEqual({
      path: 'server/src/a.ts',
      line: 2,
      text: 'contract 2.1 rule 99',
      target: 'docs/contract.md#contract-2.1-rule-99',
    });
    expect(isThere(found?.target ?? '')).toBe(false);
  });
});
