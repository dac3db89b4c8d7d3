import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bySize } from '#test/lane.ts';
import { type Case, isActive, isThreat, type ListingFacts, namesItself } from './facts.ts';
import { generatedCase, generatedListing, NUISANCES } from './generated-case.fixture.ts';
import { judgeCase } from './judge-case.ts';
import { scoreCase } from './score-case.ts';

/** Cases of the full lane: 100,000 for the sum of the contributions, and as many for the other eight tests. */
const SUM_RUNS = bySize(5_000, 100_000);
const RUNS = bySize(600, 12_500);
const TIMEOUT_MS = 120_000;

const nat = fc.nat();
const pair = fc.tuple(nat, nat);
const cases = (listingsMax: number) =>
  fc
    .tuple(fc.array(pair, { maxLength: listingsMax, size: 'max' }), nat, nat)
    .map(([listings, context, rest]) => generatedCase(listings, context, rest));

const holds = <T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => void, numRuns = RUNS): void =>
  fc.assert(fc.property(arbitrary, check), { numRuns });

const scoreOf = (of: Case) => scoreCase(of).score;
const withListings = (of: Case, listings: readonly ListingFacts[]): Case => ({ ...of, listings });

test('a named service is above low only where a source of grade A names the value itself', () => {
  holds(cases(8), (of) => {
    if (!of.context.guards.some(({ guard, scope }) => guard === 'named-service' && scope === 'itself'))
      return;
    const isNamed = of.listings.some(
      (listing) =>
        listing.source.letter === 'A' &&
        isThreat(listing) &&
        isActive(listing) &&
        namesItself(listing, of.subject),
    );
    if (!isNamed) expect(scoreOf(of)).toBeLessThanOrEqual(34);
  });
});

describe('a score that adds up', () => {
  test(
    'the contributions of all factors are whole numbers that add up to the score, in every case',
    () => {
      let worth = 0;
      holds(
        cases(8),
        (of) => {
          const { score, counted, adjustments } = scoreCase(of);
          let sum = 0;
          for (const { points } of counted) sum += points;
          for (const { contribution } of adjustments) sum += contribution;
          if (sum !== score || !Number.isInteger(score) || score < 0 || score > 100)
            expect.fail(`${sum} is not ${score}`);
          if (counted.some(({ points }) => !Number.isInteger(points) || points < 0))
            expect.fail('a source counts for its accusation, in whole points');
          if (adjustments.some(({ contribution }) => contribution === 0))
            expect.fail('what changes nothing is no factor');
          if (counted.length > 1 && adjustments.length > 0) worth += 1;
        },
        SUM_RUNS,
      );
      // Shows that the generator reaches cases with a score.
      expect(worth).toBeGreaterThan(SUM_RUNS / 10);
    },
    TIMEOUT_MS,
  );

  test(
    'the verdict carries the same sum, no NaN or infinity, and at most 12 reasons',
    () => {
      holds(cases(16), (of) => {
        const verdict = judgeCase(of);
        const { score, factors } = verdict.riskScore;
        expect(factors.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(score);
        expect(verdict.evidence.score).toBe(score);
        expect(verdict.evidence.reasons.length).toBeLessThanOrEqual(12);
        expect(verdict.evidence.reasons.length + verdict.trust.sources.length).toBeGreaterThan(0);
        expect(JSON.stringify(verdict)).not.toMatch(
          /NaN|Infinity|undefined|:null(?!,"sourceAgreement"|,"recomm)/,
        );
        const { confidence, classification } = verdict;
        for (const percent of [confidence.score, classification.confidence])
          expect(percent >= 0 && percent <= 100 && Number.isInteger(percent)).toBe(true);
      });
    },
    TIMEOUT_MS,
  );

  test(
    'one more listing never lowers the score, with and without context',
    () => {
      holds(fc.tuple(cases(6), pair), ([of, [who, what]]) => {
        const more = [...of.listings, generatedListing(of.listings.length, who, what)];
        expect(scoreOf(withListings(of, more))).toBeGreaterThanOrEqual(scoreOf(of));
      });
    },
    TIMEOUT_MS,
  );

  test(
    'a more reliable source, a fresher or a closer listing never lowers the score',
    () => {
      holds(fc.tuple(cases(6), nat, nat), ([of, which, how]) => {
        const index = which % Math.max(1, of.listings.length);
        const better = of.listings.map((one, at) => (at === index ? improved(one, how) : one));
        expect(scoreOf(withListings(of, better))).toBeGreaterThanOrEqual(scoreOf(of));
      });
    },
    TIMEOUT_MS,
  );

  test(
    'the order of listings changes only the order of lists in the verdict',
    () => {
      holds(fc.tuple(cases(6), nat), ([of, by]) => {
        const at = by % Math.max(1, of.listings.length);
        const turned = [...of.listings.slice(at), ...of.listings.slice(0, at)].reverse();
        const scored = judgeCase(of);
        const other = judgeCase(withListings(of, turned));
        expect(other.riskScore).toEqual(scored.riskScore);
        expect([other.confidence, other.evidence.recommendedAction, other.categories]).toEqual([
          scored.confidence,
          scored.evidence.recommendedAction,
          scored.categories,
        ]);
      });
    },
    TIMEOUT_MS,
  );

  test(
    'a source has one opinion: a duplicate listing changes nothing',
    () => {
      holds(fc.tuple(cases(6), nat), ([of, which]) => {
        const again = of.listings.slice(which % 7, (which % 7) + 2);
        expect(scoreCase(withListings(of, [...of.listings, ...again]))).toEqual(scoreCase(of));
      });
    },
    TIMEOUT_MS,
  );

  test(
    'a listing that is not an accusation changes neither the score nor the hits',
    () => {
      holds(fc.tuple(cases(6), pair, nat), ([of, [who, what], kind]) => {
        const given = generatedListing(of.listings.length, who, what);
        const threatClass = kind % 2 === 0 ? 'infrastructure' : 'policy';
        // Not even a rentable cloud, which takes a guard away before the verdict, adds anything in the verdict.
        const tags = kind % 3 === 0 ? ['rentable'] : given.source.tags;
        const label = { ...given, source: { ...given.source, threatClass, tags } } as ListingFacts;
        const [before, after] = [judgeCase(of), judgeCase(withListings(of, [...of.listings, label]))];
        expect(after.riskScore).toEqual(before.riskScore);
        expect([
          after.blocklistHits,
          after.malicious,
          after.reputation,
          after.evidence.recommendedAction,
        ]).toEqual([
          before.blocklistHits,
          before.malicious,
          before.reputation,
          before.evidence.recommendedAction,
        ]);
      });
    },
    TIMEOUT_MS,
  );

  test(
    'nuisance alone never scores above 60, however many lists agree',
    () => {
      let most = 0;
      holds(cases(40), (of) => {
        const nuisance = of.listings.map((one, index) => ({
          ...one,
          source: { ...one.source, category: NUISANCES[index % NUISANCES.length] as string },
        }));
        const score = scoreOf({ ...withListings(of, nuisance), asn: null });
        most = Math.max(most, score);
        expect(score).toBeLessThanOrEqual(60);
      });
      expect(most).toBe(60);
    },
    TIMEOUT_MS,
  );
});

function improved(listing: ListingFacts, how: number): ListingFacts {
  const { source, lastSeenS, prefixBits } = listing;
  switch (how % 3) {
    case 0:
      return { ...listing, source: { ...source, reliability: Math.min(1, source.reliability + 0.2) } };
    case 1:
      return { ...listing, lastSeenS: lastSeenS + (how % 100) * 3_600 };
    default:
      return prefixBits === undefined
        ? listing
        : { ...listing, prefixBits: Math.min(128, prefixBits + (how % 9)) };
  }
}
