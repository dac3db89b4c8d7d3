import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeContact } from './judge-contact.ts';

const listed = (...confidences: readonly number[]) =>
  confidences.map((confidence, i) => ({ sourceId: `list-${i}`, confidence, lineage: `operator-${i}` }));

describe('the listing rule for contacts (decisions 3.3)', () => {
  test.each([
    ['no source lists it: unknown, never clean', [], 'unknown', 0, 'inconclusive'],
    ['one source of 70 is enough', [70], 'malicious', 75, 'high'],
    ['one source of 90 is critical', [90], 'malicious', 90, 'critical'],
    ['one source of 69 is a suspicion', [69], 'suspicious', 50, 'medium'],
    ['one weak source is a suspicion', [10], 'suspicious', 50, 'medium'],
    ['sources below 60 do not confirm each other', [59, 59, 59], 'suspicious', 55, 'medium'],
    ['one of 65 and a weak one do not either', [65, 40], 'suspicious', 55, 'medium'],
    ['two of 60 confirm each other', [60, 60], 'malicious', 84, 'high'],
    ['no list is a proof', [95, 95, 95], 'malicious', 97, 'critical'],
  ] as const)('%s', (_, confidences, verdict, score, level) => {
    expect(judgeContact(listed(...confidences))).toEqual({ verdict, score, level });
  });

  test('two lists of one operator are one voice', () => {
    const twice = listed(60, 60).map((listing) => ({ ...listing, lineage: 'same' }));
    expect(judgeContact(twice)).toMatchObject({ verdict: 'suspicious', score: 50 });
  });

  test('another list never lowers the score', () => {
    const confidences = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 6 });
    fc.assert(
      fc.property(confidences, fc.integer({ min: 0, max: 100 }), (before, more) => {
        const after = judgeContact(listed(...before, more));
        expect(after.score).toBeGreaterThanOrEqual(judgeContact(listed(...before)).score);
        expect(after.level).not.toBe('safe');
      }),
    );
  });
});
