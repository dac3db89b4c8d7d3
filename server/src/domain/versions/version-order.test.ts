import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '#test/seeded-random.ts';
import { ORACLES } from '#test/version-oracles.ts';
import { samplePair, sampleVersion } from '#test/version-samples.ts';
import {
  compareVersions,
  schemeOfEcosystem,
  schemeOfVersionType,
  VERSION_SCHEMES,
  type VersionScheme,
  withUpdate,
} from './index.ts';

/** Each line rises from left to right; an `=` joins equal versions. */
const RISING: Readonly<Record<VersionScheme, readonly string[]>> = {
  semver: [
    '1.0.0-alpha < 1.0.0-alpha.1 < 1.0.0-beta.2 < 1.0.0-beta.11 < 1.0.0 < 1.0.1',
    '0.9 = 0.9.0+x = v0.9.0',
  ],
  pep440: [
    '1.0.dev1 < 1.0a1.dev1 < 1.0a1 < 1.0rc1 < 1.0 < 1.0+abc < 1.0+5 < 1.0.post1 < 1!0.1',
    '1.0 = 1.0.0 = v1.0',
  ],
  maven: [
    '1-alpha1 < 1-b2 < 1.0-rc1 < 1-SNAPSHOT < 1 < 1-sp < 1-jre < 1-1 < 1.1',
    '1 = 1.0 = 1-ga = 1.0.0-final',
  ],
  dpkg: ['1.0~rc1-1 < 1.0-1 < 1.0-1+deb12u1 < 1.0a-1 < 1.0.1-1 < 1:0.1', '1.0 = 1.0-0'],
  rpm: ['1.0~rc1 < 1.0 < 1.0^git1 < 1.0.1 < 1.0.10 < 1:0.1', '1.05-1 = 1.5-1'],
  // Pairs of the test data of apk-tools.
  apk: [
    '0.1.0_alpha_pre2 < 0.1.0_alpha < 0.1.0_alpha2 < 0.1.3_alpha',
    '1.3_alpha < 1.3_alpha2 < 1.3_alpha8 < 1.3_pre1-r1 < 1.3-r0 < 1.3.1-r0 < 1.3.2',
    '0.8.5 < 0.8.6-r3 < 0.9.8c-r1 < 0.9.8d < 0.13_beta1 < 0.13_beta5 < 0.17',
    '2.5.1-r8 < 2.5.1a-r1 < 2.6.15.20060110 < 2.6.16.20060323 < 2.10.0 < 2.10.1',
    '1.02 < 1.03-r1 < 1.06-r2 < 1.07-r1 < 1.07.5 < 1.1 < 1.1a < 1.3a',
    '1.0_p9-r0 < 1.0_p10-r0 < 1.0.0_pre20191002222144-r0 < 1.0.0_pre20210530193627-r0 < 1.0.0',
    '4.2.52_p2-r1 < 4.2.52_p4-r2 < 4.3_p2-r1 < 4.4_p1-r6 < 4.5_p1 < 4.5_p1-r1 < 006 < 6b-r7',
    '2.0.0_rc3-r1 < 2.1.9.200602141850 < 20040401 < 20040923-r2',
  ],
  rubygems: ['1.0.a < 1.0.b1 < 1.0.rc2 < 1.0 < 1.0.1 < 1.10', '1.0 = 1 = 1.0.0'],
  composer: ['1.0-dev < 1.0-alpha1 < 1.0-beta < 1.0-beta2 < 1.0RC1 < 1.0 < 1.0-p1 < 1.0.1', '1.0 = v1.0.0.0'],
  go: [
    'v0.0.0-20200101000000-abcdef123456 < v0.0.1 < v1.2.0-rc.1 < 1.2.0+incompatible',
    'go1.21rc2 = 1.21.0-rc.2',
  ],
  nuget: ['1.0.0-foo < 1.0.0-rc.1 < 1.0.0 < 1.0.0.1', '1.0.0-RC = 1.0.0-rc'],
  generic: [
    '4.2.8-rc1 < 4.2.8 < 4.2.8-p9 < 4.2.8p18 < 4.2.9',
    '1.0.2 < 1.0.2a < 1.0.2k < 1.0.2zb < 1.1',
    '1 = 1.0 = v1.0-final',
  ],
};

describe('orders of versions', () => {
  test.each(VERSION_SCHEMES)('%s orders the versions of its own documents', (scheme) => {
    for (const line of RISING[scheme]) {
      const steps = line.split(' < ').map((step) => step.split(' = '));
      const ranked = steps.flatMap((equal, rank) => equal.map((version) => ({ version, rank })));
      for (const a of ranked)
        for (const b of ranked)
          expect(compareVersions(scheme, a.version, b.version), `${a.version} and ${b.version}`).toBe(
            Math.sign(a.rank - b.rank),
          );
    }
  });

  test.each(VERSION_SCHEMES)('%s is antisymmetric and transitive', (scheme) => {
    const version = fc
      .infiniteStream(fc.double({ min: 0, max: 0.999_999, noNaN: true }))
      .map((stream) => sampleVersion(scheme, () => stream.next().value ?? 0));
    const order = (a: string, b: string) => compareVersions(scheme, a, b);
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const ab = order(a, b);
        const bc = order(b, c);
        const ac = order(a, c);
        expect(order(b, a)).toBe(ab === null ? null : 0 - ab);
        if (ab === null || bc === null || ac === null) return;
        if (ab === 0) expect(ac).toBe(bc);
        if (ab === bc) expect(ac).toBe(ab);
      }),
      { numRuns: 400 },
    );
  });

  test.each(['semver', 'pep440'] as const)('%s agrees with the package of its makers', (scheme) => {
    const random = seededRandom(`version order ${scheme}`);
    const pairs = Array.from({ length: 2000 }, () => samplePair(scheme, random));
    const theirs = ORACLES[scheme]?.(pairs);
    for (const [at, [a, b]] of pairs.entries())
      expect(compareVersions(scheme, a, b), `${a} and ${b}`).toBe(theirs?.[at]);
  });

  test('what is no version of the scheme has no order', () => {
    expect(compareVersions('semver', '1.2.3.4', '1.2.3')).toBeNull();
    expect(compareVersions('pep440', '1.0-custom', '1.0')).toBeNull();
    expect(compareVersions('composer', 'dev-main', '1.0')).toBeNull();
    expect(compareVersions('generic', 'SMR Aug-2024 Release', '1.0')).toBeNull();
    expect(compareVersions('generic', '1da177e4c3f41524e886b7f1b8a0c1fc7321cac2', '1.0')).toBeNull();
    expect(compareVersions('dpkg', 'x1', '1.0')).toBeNull();
    expect(compareVersions('generic', '1.'.repeat(200), '1')).toBeNull();
    expect(compareVersions('generic', 'x', 'x')).toBeNull();
    expect(compareVersions('maven', '1.constructor', '1.toString')).toBe(-1);
  });

  test('numbers beyond the precision of a double keep their order', () => {
    expect(compareVersions('generic', '1.9007199254740993', '1.9007199254740992')).toBe(1);
    expect(compareVersions('pep440', '1.9007199254740993', '1.9007199254740992')).toBe(1);
  });

  test('the update field of a CPE is part of the version', () => {
    expect(compareVersions('generic', withUpdate('4.2.8', 'p18'), '4.2.8p17')).toBe(1);
    expect(compareVersions('generic', withUpdate('4.2.8', null), withUpdate('4.2.8', 'beta1'))).toBe(1);
  });

  test('commits have no scheme, and an unknown ecosystem has none', () => {
    expect(schemeOfVersionType('git')).toBeNull();
    // The kernel's records give this word beside plain version numbers.
    expect(schemeOfVersionType('original_commit_for_fix')).toBe('generic');
    expect(schemeOfVersionType('custom')).toBe('generic');
    expect(schemeOfVersionType(null)).toBe('generic');
    expect(schemeOfEcosystem('Debian:12')).toBe('dpkg');
    expect(schemeOfEcosystem('PyPI')).toBe('pep440');
    expect(schemeOfEcosystem('Android')).toBeNull();
  });
});
