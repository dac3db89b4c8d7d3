import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPathFinder, namedPathsOf } from '#test/document-paths.ts';
import { namedAddressesOf, ownUrlsOf, servedBy } from '#test/served-links.ts';

const ROOT = join(import.meta.dirname, '../..');
const IGNORED = /(^|\/)(node_modules|dist|\.git)(\/|$)/;
const listed = (...patterns: readonly string[]): readonly string[] =>
  globSync(patterns, { cwd: ROOT, exclude: (path) => IGNORED.test(path) }).map((path) =>
    path.replaceAll('\\', '/'),
  );
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const textOf = (path: string) => ({ path, text: read(path) });
const placeOf = ({ path, line }: { readonly path: string; readonly line: number }) => `${path}:${line}`;

/** The changelog names files and routes as they were. */
const documents = listed('**/*.md', '.github/**/*.md')
  .filter((path) => path !== 'CHANGELOG.md')
  .map(textOf);

/** Names of files that this repository does not hold: outputs, files of other programs, data, and names to avoid. */
const ELSEWHERE: readonly (string | RegExp)[] = [
  /^blocklist-(ips|domains)-\w+\.txt$/,
  /^(server|web|sdk)\/dist(\/(main\.js|sources\.json))?$/,
  /^release\/out\//,
  /^(utils|helpers|common|types|constants)\.ts$/,
  'MANIFEST.json',
  'allowlists/',
  'assay-0.2.0.cdx.json',
  'compose.override.yaml',
  'context.json',
  'main.js',
  'openapi.json',
  'pg_hba.conf',
  'server/migrations/NNNN_what.sql',
  'warninglists/',
  'web/screens',
  '5BAA6.txt',
];
const isElsewhere = (named: string): boolean =>
  ELSEWHERE.some((each) => (typeof each === 'string' ? each === named : each.test(named)));

describe('documents', () => {
  const exists = createPathFinder(listed('**/*', '.*', '.*/**/*'));
  const named = documents.flatMap(namedPathsOf);

  test(`each of the ${named.length} files and folders that they name in code exists`, () => {
    expect(named.length).toBeGreaterThan(500);
    const lost = named.filter((each) => !isElsewhere(each.named) && !exists(each));
    expect(lost.map((each) => `${placeOf(each)}: ${each.named}`)).toEqual([]);
  });

  test('none calls a part of the product not built, because it may be built since', () => {
    const claims = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\b(?:not (?:yet )?(?:been )?|isn't |un)built\b/gi)].map(({ index, 0: words }) => ({
        path,
        line: text.slice(0, index).split('\n').length,
        words,
      })),
    );
    expect(claims.map((each) => `${placeOf(each)}: ${each.words}`)).toEqual([]);
  });

  test('a planted name of a file that is gone is found with its line', () => {
    const planted = { path: 'docs/a.md', text: 'See `server/src/gone.ts`,\n`docs/gone/` and `server/src`.' };
    expect(namedPathsOf(planted).filter((each) => !exists(each))).toEqual([
      { path: 'docs/a.md', line: 1, named: 'server/src/gone.ts' },
      { path: 'docs/a.md', line: 2, named: 'docs/gone/' },
    ]);
  });
});

/** Lists routes of the web host under a heading that says so, without the `/api` of that host. */
const WEB_HOST_PAGE = 'docs/contract.md';
/** Shows the output of a command about a server of somebody else. */
const OTHER_SERVERS = 'docs/guides/taxii-check.md';
const EMAILED = /\blinkTo\([^,()]+(?:\([^()]*\))?[^,()]*, '([\w-]+)'/g;

describe('addresses of this service', () => {
  const isServed = servedBy(read('docs/routes.md'), read('web/src/screens.ts'));
  const sources = listed('{server/src,demo,sdk/src,sdk/examples}/**/*.{ts,json,txt}')
    .filter((path) => !/\.test\.ts$|fixture/.test(path))
    .map(textOf);
  const inText = [...documents, ...sources].filter(({ path }) => path !== OTHER_SERVERS);
  const named = inText.flatMap(namedAddressesOf);

  test(`each of the ${named.length} routes and pages that documents, answers, emails and the demo name is served`, () => {
    expect(named.length).toBeGreaterThan(300);
    const dead = named.filter(
      (each) =>
        !isServed(each) &&
        !(each.path === WEB_HOST_PAGE && isServed({ ...each, address: `/api${each.address}` })),
    );
    expect(dead.map((each) => `${placeOf(each)}: ${each.method ?? ''} ${each.address}`)).toEqual([]);
  });

  test('each URL of this service in a sample answer is served', () => {
    const urls = sources.filter(({ path }) => path.includes('/sample-answers/')).flatMap(ownUrlsOf);
    expect(urls.length).toBeGreaterThan(2);
    expect(urls.filter((each) => !isServed(each)).map((each) => `${placeOf(each)}: ${each.address}`)).toEqual(
      [],
    );
  });

  test('each page that an email leads to is a screen, and each chapter of the reference that an answer names exists', () => {
    const pages = sources.flatMap(({ text }) => [...text.matchAll(EMAILED)].map((match) => match[1] ?? ''));
    expect(pages.length).toBeGreaterThan(3);
    const address = (page: string) => ({ path: '', line: 0, method: null, address: `/app/${page}` });
    expect(pages.filter((page) => !isServed(address(page)))).toEqual([]);
    const chapters = sources.flatMap(({ text }) => [...text.matchAll(/\/docs#(\w+)/g)].map(([, id]) => id));
    expect(chapters.length).toBeGreaterThan(0);
    const reference = read('server/src/platform/http/docs-page.ts');
    expect(chapters.filter((id) => !reference.includes(`id="${id}"`))).toEqual([]);
  });

  test('screens that answers link to exist, and those that exist are linked to', () => {
    const source = read('server/src/domain/dashboard/page-href.ts');
    const built = /\(\[([^\]]*)\]\)/.exec(source)?.[1] ?? '?';
    const hrefs = sources.flatMap(({ text }) =>
      [...text.matchAll(/\bpageHref\(\s*['`](\/[\w-]+)/g)].map((match) => match[1] ?? ''),
    );
    expect(new Set(hrefs)).toEqual(new Set(['/alerts', '/cases', '/cve-watch', '/watch']));
    for (const href of hrefs)
      expect(built.includes(`'${href.slice(1)}'`), href).toBe(
        read('web/src/screens.ts').includes(`'${href}`),
      );
  });

  test.each([
    ['Open [it](https://app.example.com/app/gone).', '/app/gone'],
    ['`POST /nowhere` does it.', '/nowhere'],
    ['`DELETE /check` is another method.', '/check'],
    ['`POST /auth/confirm` is missing /api.', '/auth/confirm'],
  ])('a planted dead address is found: %s', (text, address) => {
    expect(namedAddressesOf({ path: 'a.md', text }).filter((each) => !isServed(each))).toMatchObject([
      { line: 1, address },
    ]);
  });

  test('a planted dead URL of an answer is found, and one of somebody else is not ours', () => {
    const text = '{"docs": "https://api.example.com/docs/limits", "url": "https://news.example.com/a"}';
    expect(ownUrlsOf({ path: 'a.json', text }).map((each) => [each.address, isServed(each)])).toEqual([
      ['/docs/limits', false],
    ]);
  });
});
