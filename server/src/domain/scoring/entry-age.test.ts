import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseOf, GRADE_A, listed, NOW_H } from './case.fixture.ts';
import type { ListingFacts, SourceFacts } from './facts.ts';
import { judgeCase } from './judge-case.ts';
import { MODEL } from './model.ts';
import { scoreCase } from './score-case.ts';
import { decayAfter, fadeDaysOf } from './weigh-opinion.ts';

const HOUR_S = 3_600;
const DAY_H = 24;
const daysAgoS = (days: number): number => (NOW_H - days * DAY_H) * HOUR_S;

const C2 = { category: 'c2' } as const;
const ARCHIVE = { ...C2, semantics: 'archive' } as const;
const scoreOf = (...listings: readonly ListingFacts[]): number => scoreCase(caseOf({ listings })).score;

/** A listing of today whose first date is `days` ago. */
const dated = (
  id: string,
  settings: Partial<SourceFacts>,
  days: number,
  dating: ListingFacts['dating'] = 'sighted',
) => listed(id, settings, { dating, hasOwnLastSeen: false, firstSeenS: daysAgoS(days) });
const undated = (id: string, settings: Partial<SourceFacts> = ARCHIVE) => dated(id, settings, 0, 'undated');

describe('the date from which an entry ages', () => {
  test('what a state list still lists is as old as its data, however long ago it was reported', () => {
    expect(scoreOf(dated('x', C2, 900))).toBe(scoreOf(dated('x', C2, 0)));
    expect(scoreOf(undated('x', C2))).toBe(42);
  });

  test.each([
    ['an archive', ARCHIVE],
    ['a file that keeps its entries', { ...C2, keepsEntries: true }],
  ])('an entry of %s ages from its own last sighting, else from its first', (_, ofKind) => {
    const settings = { ...ofKind, letter: 'C' };
    const half = 0.6 * 2 ** (-35 / 5) + 0.4 / 2;
    const own = { dating: 'own', firstSeenS: daysAgoS(900) } as const;
    expect(scoreOf(dated('x', settings, 35))).toBe(
      Math.round(100 * (1 - Math.exp(0.6 * Math.log(1 - 0.6 * half)))),
    );
    expect(scoreOf(dated('x', settings, 35, 'own'))).toBe(scoreOf(dated('x', settings, 35)));
    const seenNow = listed('x', settings, { ...own, hasOwnLastSeen: true, lastSeenS: daysAgoS(35) });
    expect(scoreOf(seenNow)).toBe(scoreOf(dated('x', settings, 35)));
    expect(scoreOf(listed('x', settings, { ...own, hasOwnLastSeen: false }))).toBe(0);
  });

  test('an entry that leaves an archive does not become young again', () => {
    const left = { isDelisted: true, lastSeenS: daysAgoS(0) } as const;
    const gone = listed('x', ARCHIVE, { ...left, dating: 'sighted', firstSeenS: daysAgoS(60) });
    expect(scoreOf(gone)).toBeLessThanOrEqual(scoreOf(dated('x', ARCHIVE, 60)));
  });

  test('files and ranges owned by criminals do not age in an archive either', () => {
    const file = { ...GRADE_A, semantics: 'archive', category: 'malware' } as const;
    const of = { subject: { kind: 'hash', value: 'x' } } as const;
    expect(scoreCase(caseOf({ ...of, listings: [undated('x', file)] })).score).toBe(
      scoreCase(caseOf({ ...of, listings: [listed('x', file)] })).score,
    );
  });
});

describe('entries without a date', () => {
  test('weigh little, and alone never lift above low', () => {
    expect(scoreOf(undated('a'))).toBe(11);
    const five = ['a', 'b', 'c', 'd', 'e'].map((id) => undated(id, { ...ARCHIVE, ...GRADE_A }));
    const verdict = judgeCase(caseOf({ listings: five }));
    expect([verdict.riskScore.score, verdict.riskScore.level]).toEqual([34, 'low']);
    const cap = verdict.riskScore.factors.at(-1);
    expect(cap).toMatchObject({ name: 'undated' });
    expect(cap?.description).toMatch(
      /^Only entries without a date accuse it: never above low, which takes \d+ points away\.$/,
    );
  });

  test('add to a dated accusation', () => {
    expect(scoreOf(undated('a'), dated('b', ARCHIVE, 0))).toBeGreaterThan(scoreOf(dated('b', ARCHIVE, 0)));
  });

  test('never make a value malicious', () => {
    const engine = { ...ARCHIVE, signal: 'scanner' } as const;
    expect(judgeCase(caseOf({ listings: [undated('a', engine)] })).malicious).toBe(false);
  });
});

describe('decay in two speeds', () => {
  test('phishing hosts and command servers follow the measured curves', () => {
    const phishing = [7, 14, 30, 60, 180].map((days) => decayAfter(MODEL.halfLifeDays.domain.phishing, days));
    for (const [index, alive] of [0.79, 0.64, 0.43, 0.28, 0.17].entries())
      expect(Math.abs((phishing[index] as number) - alive)).toBeLessThan(0.05);
    expect(decayAfter(MODEL.halfLifeDays.ip.c2, 5)).toBeCloseTo(0.3 + 0.4 * 2 ** (-5 / 35), 6);
  });

  test('a listing fades until exactly the least decay that counts is left', () => {
    for (const halfLife of [MODEL.halfLifeDays.domain.phishing, MODEL.halfLifeDays.ip.c2, 13])
      expect(decayAfter(halfLife, fadeDaysOf(halfLife))).toBeCloseTo(MODEL.decayMin, 6);
  });

  test('a young command server is never below an old one of the same evidence', () => {
    const days = fc.integer({ min: 0, max: 900 });
    fc.assert(
      fc.property(days, days, fc.boolean(), (one, other, isCopied) => {
        const [young, old] = [Math.min(one, other), Math.max(one, other)];
        const at = (age: number) => [
          dated('fox', { ...ARCHIVE, lineage: 'abuse' }, age),
          // The copying list dates every entry ten days later.
          ...(isCopied
            ? [dated('copy', { ...ARCHIVE, echoes: { ip: 'abuse' } }, Math.max(0, age - 10))]
            : []),
        ];
        const scores = [young, old].map((age) => scoreOf(...at(age)));
        expect(scores[0]).toBeGreaterThanOrEqual(scores[1] as number);
      }),
    );
  });
});

describe('echoes', () => {
  const original = (days: number) => dated('fox', { ...ARCHIVE, lineage: 'abuse' }, days);
  const echo = (days: number) => dated('trail', { ...ARCHIVE, echoes: { ip: 'abuse' } }, days);

  test('a source that repeats another adds a quarter of an entry as old as the original', () => {
    const [of] = [caseOf({ listings: [original(60), echo(1)] })];
    const { counted } = scoreCase(of);
    expect(counted.map(({ opinion, isEcho }) => [opinion.sourceId, isEcho])).toEqual([
      ['fox', false],
      ['trail', true],
    ]);
    expect(counted[1]?.opinion.ageDays).toBe(60);
    expect(judgeCase(of).trust.sourceAgreement.count).toBe(1);
    expect(judgeCase(of).riskScore.factors.at(1)?.description).toMatch(
      /after another list that is counted already/,
    );
  });

  test('alone it counts whole, and names of other kinds are its own opinion', () => {
    expect(scoreOf(echo(1))).toBe(scoreOf(dated('x', ARCHIVE, 1)));
    const domain = { subject: { kind: 'domain', value: 'x.example' } } as const;
    const agreed = judgeCase(caseOf({ ...domain, listings: [original(1), echo(1)] }));
    expect(agreed.trust.sourceAgreement.count).toBe(2);
  });
});

describe('sentences about dates (O55)', () => {
  const sentence = (listing: ListingFacts) => judgeCase(caseOf({ listings: [listing] })).evidence.reasons[0];
  const now = new Date(NOW_H * HOUR_S * 1_000).toISOString().slice(0, 10);
  const day = (days: number) => new Date(daysAgoS(days) * 1_000).toISOString().slice(0, 10);

  test('say what the source says of the entry', () => {
    expect(sentence(dated('X', C2, 900, 'own'))).toBe(
      `X lists it for command and control, still listed on ${now}, reported ${day(900)}.`,
    );
    expect(sentence(dated('X', ARCHIVE, 3))).toBe(
      `X lists it for command and control, still listed on ${now}, listed since ${day(3)}.`,
    );
    expect(sentence(undated('X'))).toBe(
      `X lists it for command and control, still listed on ${now}, undated.`,
    );
    expect(sentence(undated('X', C2))).toBe(`X lists it for command and control, still listed on ${now}.`);
    expect(sentence(listed('X', C2, { ageH: 5 }))).toBe(
      'X lists it for command and control, last seen 5 hours ago.',
    );
  });

  test('say that our copy is old where that is the cause', () => {
    const old = { ...C2, letter: 'C', dataAtS: daysAgoS(400) };
    expect(
      sentence(listed('X', old, { dating: 'undated', hasOwnLastSeen: false, lastSeenS: daysAgoS(400) })),
    ).toMatch(/too long ago or too far from it to count/);
    const week = { ...C2, dataAtS: daysAgoS(15) };
    expect(
      sentence(listed('X', week, { dating: 'undated', hasOwnLastSeen: false, lastSeenS: daysAgoS(15) })),
    ).toBe(`X lists it for command and control, still listed on ${day(15)}, our copy is 15 days old.`);
    const corpus = {
      coverage: 1,
      defaultShare: 1,
      otherSources: 0,
      corpusFresh: 0,
      freshSources: 0,
      freshScanners: 0,
      newestDataH: NOW_H - 24 * 400,
    };
    expect(judgeCase(caseOf({ corpus })).evidence.reasons[0]).toBe(
      'Not listed by any source, but our newest data is 400 days old, which is not proof of good.',
    );
  });
});
