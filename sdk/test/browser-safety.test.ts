import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { importsOf, scanSource } from '../../server/test/support/scan-source.ts';

const ROOT = join(import.meta.dirname, '../src');
const sources = globSync('**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

/** Globals of Node or of a page: neither has those of the other, and a worker has neither. */
const FOREIGN =
  /\b(?:Buffer|process|require|__dirname|__filename|setImmediate|window|document|localStorage|XMLHttpRequest|EventSource)\b/;
/** Relative imports only; any other import would be a dependency of every caller. */
const LOCAL = /^\.\/[\w/-]+\.ts$/;
const GZIP_BYTES_MAX = 15_000;

const foreignIn = (text: string) => FOREIGN.exec(scanSource(text).code)?.[0];
const strangersIn = (text: string) =>
  importsOf(scanSource(text))
    .map(({ specifier }) => specifier)
    .filter((specifier) => !LOCAL.test(specifier));

describe('the client runs in every environment with fetch', () => {
  test('the sources are found', () => {
    expect(sources.map(({ path }) => path)).toContain('index.ts');
    expect(sources.length).toBeGreaterThan(10);
  });

  test.each(sources.map(({ path, text }) => [path, text] as const))(
    '%s imports its neighbours alone',
    (_path, text) => {
      expect(strangersIn(text)).toEqual([]);
    },
  );

  test.each(sources.map(({ path, text }) => [path, text] as const))(
    '%s names nothing of Node or of a page',
    (_path, text) => {
      expect(foreignIn(text)).toBeUndefined();
    },
  );

  test('the rules detect what they forbid', () => {
    expect(foreignIn(`const a = Buffer.from('x');`)).toBe('Buffer');
    expect(foreignIn('if (process.env.A) {}')).toBe('process');
    expect(foreignIn(`const a = 'document'; // window`)).toBeUndefined();
    expect(strangersIn(`import { readFileSync } from 'node:fs';`)).toEqual(['node:fs']);
    expect(strangersIn(`import { z } from 'zod';\nimport a from '../../server/src/a.ts';`)).toHaveLength(2);
  });

  test('there is no dependency to install', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, '../package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(manifest, field).not.toHaveProperty(field);
  });

  test('it costs a page less than 15 kB before it is even minified', () => {
    const code = sources.map(({ text }) => withoutComments(stripTypeScriptTypes(text))).join('\n');
    const bytes = gzipSync(code, { level: 9 }).length;
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThan(GZIP_BYTES_MAX);
  });
});

/** Removes comments, well enough to measure the size: no string of the sources contains a comment start. */
const withoutComments = (code: string): string =>
  code.replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/^\s+|[ \t]+$/gm, '');
