import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type LockFile, nameAt, registryPackages, resolveFrom } from './lock-file.ts';

const ROOT = join(import.meta.dirname, '..');
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile;
const excused = JSON.parse(readFileSync(join(import.meta.dirname, 'without-integrity.json'), 'utf8')) as {
  packages: string[];
};
/** Packages for x86-64 Linux with glibc, which the image and the tests install: they may never lack integrity. */
const HERE = /linux-x64(?!.*musl)/;

const without = (file: LockFile): readonly string[] =>
  registryPackages(file)
    .filter(([, entry]) => entry.integrity === undefined)
    .map(([path, entry]) => `${nameAt(path)}@${entry.version}`)
    .sort();

describe('package-lock.json', () => {
  test('a package without integrity is named in without-integrity.json, and no other is', () => {
    expect(registryPackages(lock).length).toBeGreaterThan(300);
    expect(without(lock)).toEqual([...excused.packages].sort());
  });

  test('a new package without integrity is found', () => {
    const packages = { ...lock.packages, 'node_modules/new': { version: '1.0.0' } };
    expect(without({ packages })).toContain('new@1.0.0');
  });

  test('only optional packages of other platforms are excused', () => {
    const byName = new Map(
      registryPackages(lock).map(([path, entry]) => [`${nameAt(path)}@${entry.version}`, entry]),
    );
    for (const name of excused.packages) {
      expect(byName.get(name)?.optional, name).toBe(true);
      expect(name).not.toMatch(HERE);
    }
  });

  test('no entry names the host it was fetched from', () => {
    const named = Object.entries(lock.packages).filter(([, { resolved }]) => resolved?.includes('//'));
    expect(named).toEqual([]);
  });
});

test('a name resolves to the nearest node_modules upwards, and a workspace to its folder', () => {
  const small: LockFile = {
    packages: {
      '': { name: 'root' },
      sdk: { name: '@x/sdk' },
      'node_modules/@x/sdk': { resolved: 'sdk', link: true },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/b/node_modules/a': { version: '2.0.0' },
    },
  };
  expect(resolveFrom(small, 'node_modules/b', 'a')).toBe('node_modules/b/node_modules/a');
  expect(resolveFrom(small, 'node_modules/b/node_modules/a', 'b')).toBe('node_modules/b');
  expect(resolveFrom(small, 'sdk', 'a')).toBe('node_modules/a');
  expect(resolveFrom(small, 'node_modules/a', '@x/sdk')).toBe('sdk');
  expect(resolveFrom(small, '', 'missing')).toBeNull();
});
