import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { describeSources, reasonAgainstBundle, writeSourceRecord } from './source-record.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-record-'));
afterAll(() => rmSync(root, { recursive: true }));
const bundle = join(root, 'server/dist');
const put = (path: string, text: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};
const LATER = new Date(Date.now() + 60_000);
const touch = (path: string, at: Date) => utimesSync(join(root, path), at, at);
const reason = () => reasonAgainstBundle(root, bundle);

beforeEach(() => {
  rmSync(join(root, 'server'), { recursive: true, force: true });
  put('server/src/a.ts', 'one');
  put('server/src/deep/b.ts', 'two');
  put('server/src/a.test.ts', 'a test');
  put('package-lock.json', '{}');
  mkdirSync(bundle);
  writeSourceRecord(bundle, describeSources(root));
});

test('a bundle of the sources as they are is used, also when a checkout or a test wrote files again', () => {
  expect(reason()).toBeNull();
  put('server/src/deep/b.ts', 'two');
  touch('server/src/deep/b.ts', LATER);
  put('server/src/a.test.ts', 'another test');
  expect(reason()).toBeNull();
});

test.each([
  ['a source that changed', () => put('server/src/a.ts', 'other')],
  [
    'a source of the same length that a checkout changed',
    () => {
      put('server/src/a.ts', 'ONE');
      touch('server/src/a.ts', LATER);
    },
  ],
  [
    'a longer source that was copied with an old time',
    () => {
      put('server/src/a.ts', 'older and longer');
      touch('server/src/a.ts', new Date(0));
    },
  ],
  ['a source that was removed', () => rmSync(join(root, 'server/src/deep/b.ts'))],
  ['a new source', () => put('server/src/c.ts', '')],
  ['a package of another version', () => put('package-lock.json', '{ }')],
])('%s makes the bundle outdated', (_what, change) => {
  change();
  expect(reason()).toBe('the bundle in server/dist was built from other sources');
});

test('a bundle that was not finished is none', () => {
  rmSync(join(bundle, 'sources.json'));
  expect(reason()).toBe('there is no bundle in server/dist');
});
