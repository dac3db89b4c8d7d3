import { describe, expect, test } from 'vitest';
import { compareVersions, VERSION_SCHEMES } from '#domain/versions/index.ts';
import { keepResult } from '#test/proof-results.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { ORACLES } from '#test/version-oracles.ts';
import { samplePair } from '#test/version-samples.ts';

const PAIRS = 100_000;

/** Our orders of versions must agree with the programs that define them: semver, pep440, dpkg, rpm, ruby. */
describe('orders of versions at full size', () => {
  test.each(VERSION_SCHEMES.filter((scheme) => ORACLES[scheme] !== undefined))(
    '%s agrees with its own program on 100,000 pairs',
    (scheme) => {
      const random = seededRandom(`version orders ${scheme}`);
      const pairs = Array.from({ length: PAIRS }, () => samplePair(scheme, random));
      const theirs = ORACLES[scheme]?.(pairs) ?? null;
      if (theirs === null) {
        process.stdout.write(`The program of ${scheme} is not installed; nothing is proven.\n`);
        return;
      }
      const others = pairs.flatMap((pair, at) => {
        const ours = compareVersions(scheme, ...pair);
        return ours === theirs[at] || (ours === 0 && theirs[at] === 0)
          ? []
          : [{ pair, ours, theirs: theirs[at] }];
      });
      expect(theirs).toHaveLength(PAIRS);
      expect(others).toEqual([]);
      keepResult('version-orders', { [scheme]: PAIRS });
    },
  );
});
