import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dateChangelog } from './changelog.ts';
import { writeChecksums } from './checksums.ts';
import { ReleaseError, readOptions } from './cli-options.ts';
import { MANIFESTS, setLockVersion, setManifestVersion } from './package-versions.ts';
import { compareVersions, isVersion } from './version.ts';

const ROOT = join(import.meta.dirname, '..');
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('options of a release', () => {
  test('a version is enough', () => {
    expect(readOptions(['0.2.0'])).toEqual({ version: '0.2.0', dryRun: false, outDir: 'release/out/0.2.0' });
    expect(readOptions(['0.2.0', '--dry-run', '--out', '/x'])).toMatchObject({ dryRun: true, outDir: '/x' });
    expect(readOptions(['--help'])).toBeNull();
  });

  test.each([
    ['no version', [], 'Name one version'],
    ['two versions', ['0.2.0', '0.3.0'], 'Name one version'],
    ['a tag in place of a version', ['v0.2.0'], 'X.Y.Z'],
    ['a pre-release', ['0.2.0-rc.1'], 'X.Y.Z'],
    ['an option that does not exist', ['0.2.0', '--fast'], 'npm run release'],
  ])('%s is refused with what to write instead', (_what, args, sentence) => {
    expect(() => readOptions(args)).toThrow(ReleaseError);
    expect(() => readOptions(args)).toThrow(sentence);
  });
});

test('versions are compared by number, not by letter', () => {
  expect(compareVersions('0.10.0', '0.9.9')).toBeGreaterThan(0);
  expect(compareVersions('1.0.0', '1.0.0')).toBe(0);
  expect(compareVersions('0.9.9', '1.0.0')).toBeLessThan(0);
  expect(isVersion('01.0.0')).toBe(false);
});

describe('the changelog', () => {
  const before =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n- a route\n\n## [0.1.0] - 2026-11-16\n\n### Added\n- all\n';

  test('what was unreleased gets the version and the date, below an empty "Unreleased"', () => {
    expect(dateChangelog(before, '0.2.0', '2027-01-02')).toBe(
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-01-02\n\n### Added\n- a route\n\n## [0.1.0] - 2026-11-16\n\n### Added\n- all\n',
    );
  });

  test('a version that is dated already, with nothing unreleased, stays as it is', () => {
    const dated = dateChangelog(before, '0.2.0', '2027-01-02');
    expect(dateChangelog(dated, '0.2.0', '2027-09-09')).toBe(dated);
  });

  test('nothing to release, a version twice and a missing heading are refused', () => {
    const dated = dateChangelog(before, '0.2.0', '2027-01-02');
    expect(() => dateChangelog(dated, '0.3.0', '2027-01-02')).toThrow('nothing under "Unreleased"');
    expect(() => dateChangelog(before, '0.1.0', '2027-01-02')).toThrow('already has a section 0.1.0');
    expect(() => dateChangelog('# Changelog\n', '0.1.0', '2027-01-02')).toThrow('has no line');
  });

  test('that of this repository has the form that a release reads', () => {
    const text = textOf('CHANGELOG.md');
    expect(text.match(/^## \[/gm)?.length).toBeGreaterThan(0);
    const versions = [...text.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/gm)].map(
      ([, found]) => found,
    );
    expect(text.match(/^## \[/gm)?.length).toBe(versions.length + 1);
  });
});

describe('package versions', () => {
  const present = (JSON.parse(textOf('package.json')) as { version: string }).version;

  test.each(MANIFESTS)('%s has the version of the others, and setting it changes nothing', (file) => {
    expect(setManifestVersion(textOf(file), present)).toBe(textOf(file));
  });

  test('the lock file agrees', () => {
    expect(setLockVersion(textOf('package-lock.json'), present)).toBe(textOf('package-lock.json'));
  });

  test('a new version reaches what our packages need of each other, and nothing else', () => {
    const web = setManifestVersion(textOf('web/package.json'), '9.9.9');
    expect(JSON.parse(web)).toMatchObject({
      version: '9.9.9',
      dependencies: { '@assay/sdk': '9.9.9', '@assay/server': '9.9.9' },
    });
    expect(web.match(/9\.9\.9/g)?.length).toBe(3);
    const lock = JSON.parse(setLockVersion(textOf('package-lock.json'), '9.9.9'));
    expect(lock).toMatchObject({ version: '9.9.9', packages: { '': { version: '9.9.9' } } });
    expect(lock.packages.web.dependencies['@assay/sdk']).toBe('9.9.9');
  });
});

test('the sums are those of sha256sum, and leave themselves out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-sums-'));
  try {
    writeFileSync(join(folder, 'b.txt'), 'abc');
    writeFileSync(join(folder, 'a.txt'), '');
    await writeChecksums(folder);
    expect(await writeChecksums(folder)).toEqual(['a.txt', 'b.txt']);
    expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.txt\n' +
        'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b.txt\n',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
