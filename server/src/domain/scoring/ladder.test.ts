import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bySize } from '#test/lane.ts';
import { type CaseParts, caseOf, GRADE_A, guardedBy, listed } from './case.fixture.ts';
import type { Case, ListingFacts } from './facts.ts';
import { generatedCase } from './generated-case.fixture.ts';
import { judgeCase } from './judge-case.ts';
import { LADDER, rungOfLevel, WORD_EXCEPTIONS, wordOfCase } from './ladder.ts';
import { RISK_LEVELS } from './levels.ts';
import { NO_SIGNALS } from './signal-facts.ts';
import { standCase } from './stand-case.ts';
import { RECOMMENDED_ACTIONS } from './verdict.ts';

const HASH = { kind: 'hash', value: 'ab'.repeat(32) } as const;
const DOMAIN = { kind: 'domain', value: 'a.example.com' } as const;
const SCANNER = { signal: 'scanner', category: 'malware' } as const;
const DRIVER = { tags: ['vulnerable-driver'], category: 'malware', signal: 'scanner' } as const;
const LEFT = { isDelisted: true } as const;
const RANGE = { matchType: 'cidr', prefixBits: 24 } as const;
const SITE = { matchType: 'site' } as const;
const LONG_AGO = 'Reported long ago';
const malware = (id: string, settings = {}) => listed(id, { ...GRADE_A, category: 'malware', ...settings });

const judged = (parts: CaseParts) => judgeCase(caseOf(parts));
const told = (parts: CaseParts) => {
  const { malicious, riskScore, evidence } = judged(parts);
  return [malicious, riskScore.level, riskScore.word, evidence.recommendedAction];
};

describe('the word Malicious and the field `malicious` (O59, O75)', () => {
  const RUNS = bySize(4_000, 50_000);
  const nat = fc.nat();
  const ODD = ['test', 'vulnerable-driver', 'empty-file'] as const;
  const exceptions = new Set<string>(WORD_EXCEPTIONS.map(({ row }) => row.word));

  /** The category of one listing of a generated case is that of an odd file, in one case of two. */
  const withOddFile = (of: Case, by: number): Case => {
    const category = ODD[by % (2 * ODD.length)];
    const at = Math.floor(by / (2 * ODD.length)) % Math.max(1, of.listings.length);
    if (category === undefined) return of;
    const odd = ({ source, ...listing }: ListingFacts): ListingFacts => ({
      ...listing,
      source: { ...source, category, categories: [category] },
    });
    return { ...of, listings: of.listings.map((one, index) => (index === at ? odd(one) : one)) };
  };
  const cases = fc
    .tuple(fc.array(fc.tuple(nat, nat), { maxLength: 8, size: 'max' }), nat, nat, nat)
    .map(([listings, context, rest, by]) => withOddFile(generatedCase(listings, context, rest), by));

  test('are the same statement in both directions, apart from the listed exceptions', () => {
    const seen = { malicious: 0, critical: 0, exception: 0, exceptionAndMalicious: 0 };
    fc.assert(
      fc.property(cases, (of) => {
        const { malicious, riskScore } = judgeCase(of);
        const { word, level, score } = riskScore;
        if (exceptions.has(word)) {
          seen.exception += 1;
          if (malicious) seen.exceptionAndMalicious += 1;
        } else {
          expect(word === 'Malicious').toBe(malicious);
          if (malicious) seen.malicious += 1;
          else if (level === 'critical') seen.critical += 1;
        }
        if (malicious) expect(score).toBeGreaterThanOrEqual(60);
        expect(word).not.toBe('Low risk');
        // Every other reader of the ladder has the same word.
        expect(standCase(of)).toMatchObject({ level, word });
        if (!word.startsWith('Common service')) expect(wordOfCase(of)).toEqual({ level, word });
      }),
      { numRuns: RUNS },
    );
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
  }, 120_000);

  test('a high-level verdict with `malicious: true` is called Malicious', () => {
    const weak = listed('x', { ...SCANNER, reliability: 0.3 });
    expect(told({ listings: [weak] })).toEqual([true, 'high', 'Malicious', 'block']);
  });

  test('critical without it is a critical risk, to be blocked', () => {
    const listings = [malware('a'), malware('b'), malware('c')];
    expect(told({ listings })).toEqual([false, 'critical', 'Critical risk', 'block']);
  });

  test('a voucher against the scanner takes the word away together with the field', () => {
    const context = { guards: guardedBy('known-good') };
    const listings = [malware('x', SCANNER)];
    expect(told({ subject: HASH, context, listings })).toEqual([false, 'safe', 'Known good', 'review']);
  });
});

describe('level low (O59)', () => {
  const faint = { reliability: 0.4 } as const;
  const dense = { ...NO_SIGNALS, neighbourhood: 'dense' } as const;
  test.each<[string, CaseParts, string]>([
    ['a source lists the value now', { listings: [listed('a', faint)] }, 'Reported'],
    ['a source lists its range now', { listings: [listed('a', {}, RANGE)] }, 'Reported'],
    ['its source dropped it', { listings: [listed('a', {}, { ...LEFT, ageH: 24 * 6 })] }, LONG_AGO],
    [
      'one source dropped it and another lists it now',
      { listings: [listed('a', {}, { ...LEFT, ageH: 24 * 6 }), listed('b', { reliability: 0.2 })] },
      'Reported',
    ],
    ['only its crowded network raises it', { signals: dense }, 'Low suspicion'],
    ['only another address of its /64 is listed', { listings: [listed('a', faint, SITE)] }, 'Low suspicion'],
  ])('%s', (_, parts, word) => {
    expect(told(parts)).toEqual([false, 'low', word, 'monitor']);
  });

  test('the summary of a value that only signals raise claims no report', () => {
    expect(judged({ signals: dense }).riskScore.summary).toBe(
      'No source lists it; 16 points of 100 come from signals alone (Low suspicion).',
    );
  });
});

describe('words that follow neither `malicious` nor the level (O70, O75)', () => {
  const empty = listed('Empty files', { threatClass: 'infrastructure', category: 'empty-file' });
  const eicar = malware('EICAR', { category: 'test', signal: 'scanner' });

  test('stand in one list', () => {
    expect(WORD_EXCEPTIONS.map(({ row }) => [row.word, row.action])).toEqual([
      ['Reserved name', 'not-applicable'],
      ['Reserved address', 'not-applicable'],
      ['Empty file', 'ignore'],
      ['Test file', 'block'],
      ['Vulnerable driver', 'review'],
    ]);
  });

  test.each<[string, CaseParts, readonly [boolean, string, string, string]]>([
    [
      'a reserved address that a scanner lists',
      { context: { isReserved: true }, listings: [malware('x', SCANNER)] },
      [false, 'safe', 'Reserved address', 'not-applicable'],
    ],
    [
      'a reserved name',
      { subject: DOMAIN, context: { isReserved: true } },
      [false, 'safe', 'Reserved name', 'not-applicable'],
    ],
    ['the empty file', { subject: HASH, listings: [empty] }, [false, 'inconclusive', 'Empty file', 'ignore']],
    [
      'the empty file in a repository of samples',
      { subject: HASH, listings: [empty, malware('samples', SCANNER)] },
      [true, 'high', 'Empty file', 'ignore'],
    ],
    ['a test file', { subject: HASH, listings: [eicar] }, [true, 'high', 'Test file', 'block']],
    [
      'a driver on a driver list, which is never a scanner',
      { subject: HASH, listings: [listed('drivers', DRIVER)] },
      [false, 'medium', 'Vulnerable driver', 'review'],
    ],
    [
      'a vulnerable driver in a repository of samples',
      { subject: HASH, listings: [listed('drivers', DRIVER), malware('samples', SCANNER)] },
      [true, 'critical', 'Vulnerable driver', 'review'],
    ],
    [
      'a driver that the driver list dropped',
      { subject: HASH, listings: [listed('drivers', DRIVER, LEFT), malware('samples')] },
      [false, 'high', 'High risk', 'block'],
    ],
    [
      'an address on a list with the category of test files',
      { listings: [malware('x', { category: 'test' })] },
      [false, 'high', 'High risk', 'block'],
    ],
  ])('%s', (_, parts, expected) => {
    expect(told(parts)).toEqual(expected);
  });

  test('a driver list changes no points', () => {
    const scoreOf = (settings: object) =>
      judged({ subject: HASH, listings: [listed('drivers', { category: 'malware', ...settings })] }).riskScore
        .score;
    expect(scoreOf(DRIVER)).toBe(scoreOf({}));
  });

  test('a vulnerable driver is not said to be malware', () => {
    const { riskScore, evidence } = judged({ subject: HASH, listings: [listed('LOLDrivers', DRIVER)] });
    expect(riskScore.summary).toBe('Listed by 1 source: 42 of 100 points (Vulnerable driver).');
    expect(evidence.reasons[0]).toMatch(/^LOLDrivers lists it for being a vulnerable signed driver, /);
  });

  test("an organization's own block of a vulnerable driver stays a block", () => {
    const own = malware('organization', { type: 'organization' });
    const listings = [listed('drivers', DRIVER), own];
    expect(told({ subject: HASH, listings })).toEqual([false, 'critical', 'Critical risk', 'block']);
  });
});

describe('the table', () => {
  test('no two rows of one level have the same word, and no word is "Low risk"', () => {
    const rows = Object.values(LADDER);
    for (const level of RISK_LEVELS) {
      const words = rows.filter(({ levels }) => (levels as readonly string[]).includes(level));
      expect(new Set(words.map(({ word }) => word)).size).toBe(words.length);
    }
    expect(rows.map(({ word }) => word)).not.toContain('Low risk');
    for (const { action } of rows) expect(RECOMMENDED_ACTIONS).toContain(action);
  });

  test('a contact has the words of the same table', () => {
    expect(rungOfLevel('critical', { isMalicious: true, listed: 'now' }).word).toBe('Malicious');
    expect(rungOfLevel('critical', { isMalicious: false, listed: 'now' }).word).toBe('Critical risk');
    expect(rungOfLevel('low', { isMalicious: false, listed: 'before' }).word).toBe('Reported long ago');
    expect(rungOfLevel('inconclusive', { isMalicious: false, listed: 'never' }).word).toBe('Not listed');
  });
});
