import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContactJudgement, judgeContact } from '../judge-contact.ts';
import { type EmailFacts, MAIL_GRADES, scoreEmail } from './score-email.ts';

const UNLISTED = judgeContact([]);
const listedAt = (confidence: number): ContactJudgement =>
  judgeContact([{ sourceId: 'list', lineage: 'list', confidence }]);
const NOTHING: EmailFacts = {
  address: UNLISTED,
  domain: { score: 0, isMalicious: false },
  isDisposable: false,
  posture: { grade: 'A', canReceive: true },
};
const total = (facts: EmailFacts): number =>
  scoreEmail(facts).factors.reduce((sum, { contribution }) => sum + contribution, 0);

describe('scoreEmail (decisions 3.3)', () => {
  test('an address with nothing against it is inconclusive, never safe, even with the best mail posture', () => {
    expect(scoreEmail(NOTHING)).toMatchObject({ verdict: 'unknown', score: 0, level: 'inconclusive' });
  });

  test('the four factors carry the weights of the decision; one that is not known is left out', () => {
    const named = (facts: EmailFacts) => scoreEmail(facts).factors.map(({ name, weight }) => [name, weight]);
    expect(named(NOTHING)).toEqual([
      ['Address listings', 0.4],
      ['Domain reputation', 0.3],
      ['Disposable domain', 0.15],
      ['Mail posture', 0.15],
    ]);
    expect(named({ ...NOTHING, posture: null })).toEqual([
      ['Address listings', 0.471],
      ['Domain reputation', 0.353],
      ['Disposable domain', 0.176],
    ]);
  });

  test('a listed address is not averaged away by a good domain', () => {
    expect(scoreEmail({ ...NOTHING, address: listedAt(70) })).toMatchObject({
      verdict: 'malicious',
      score: 75,
      level: 'high',
    });
    expect(scoreEmail({ ...NOTHING, address: listedAt(50) })).toMatchObject({
      verdict: 'suspicious',
      score: 50,
      level: 'medium',
    });
  });

  test('where strangers share a domain, the factor says so instead of denying the listings of the domain', () => {
    const facts = { ...NOTHING, domain: { score: 0, isMalicious: false, isShared: true } };
    const { description } = scoreEmail(facts).factors[1] ?? {};
    expect(description).toMatch(/share/);
    expect(description).not.toMatch(/no list/i);
  });

  test('a malicious domain makes the address malicious: 75, high', () => {
    const facts = { ...NOTHING, domain: { score: 62, isMalicious: true } };
    expect(scoreEmail(facts)).toMatchObject({ verdict: 'malicious', score: 75, level: 'high' });
  });

  test('a domain under suspicion makes the address suspicious, never malicious', () => {
    const facts = { ...NOTHING, domain: { score: 55, isMalicious: false } };
    expect(scoreEmail(facts)).toMatchObject({ verdict: 'suspicious', score: 50, level: 'medium' });
  });

  test('a disposable domain alone is low and never malicious', () => {
    expect(scoreEmail({ ...NOTHING, isDisposable: true })).toMatchObject({
      verdict: 'unknown',
      score: 15,
      level: 'low',
    });
  });

  test('a bad mail posture adds points, but never so many that the level is another', () => {
    const unable = { grade: 'F', canReceive: false } as const;
    expect(scoreEmail({ ...NOTHING, posture: unable })).toMatchObject({
      verdict: 'unknown',
      score: 9,
      level: 'inconclusive',
    });
    expect(scoreEmail({ ...NOTHING, isDisposable: true, posture: unable })).toMatchObject({
      score: 30,
      level: 'low',
    });
  });

  test('contributions are whole and add up to the score; no answer is safe', () => {
    const facts = fc.record({
      address: fc
        .option(fc.integer({ min: 0, max: 100 }), { nil: null })
        .map((c) => (c === null ? UNLISTED : listedAt(c))),
      domain: fc.record({ score: fc.integer({ min: 0, max: 100 }), isMalicious: fc.boolean() }),
      isDisposable: fc.boolean(),
      posture: fc.option(fc.record({ grade: fc.constantFrom(...MAIL_GRADES), canReceive: fc.boolean() }), {
        nil: null,
      }),
    });
    fc.assert(
      fc.property(facts, (given) => {
        const scored = scoreEmail(given);
        expect(total(given)).toBe(scored.score);
        expect(scored.factors.every(({ contribution }) => Number.isInteger(contribution))).toBe(true);
        expect(scored.level).not.toBe('safe');
        // Routes without a name server give the same level, verdict and action (O57).
        const { verdict, level } = scoreEmail({ ...given, posture: null });
        expect([scored.verdict, scored.level]).toEqual([verdict, level]);
        expect(scored.score).toBeLessThanOrEqual(100);
      }),
    );
  });
});
