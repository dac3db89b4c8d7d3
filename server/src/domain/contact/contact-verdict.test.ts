import { expect, test } from 'vitest';
import { contactVerdictOf } from './contact-verdict.ts';
import { judgeContact } from './judge-contact.ts';

const judged = (...confidences: readonly number[]) =>
  contactVerdictOf(
    judgeContact(confidences.map((confidence, i) => ({ sourceId: `${i}`, lineage: `${i}`, confidence }))),
    { listed: confidences.length > 0 ? 'now' : 'never', contradictions: [] },
  );

test('word and action of a contact are those of its level on the ladder', () => {
  expect(judged()).toEqual({
    verdict: 'unknown',
    malicious: false,
    score: 0,
    level: 'inconclusive',
    word: 'Not listed',
    action: 'unverified',
  });
  expect(judged(50)).toMatchObject({
    malicious: false,
    level: 'medium',
    word: 'Suspicious',
    action: 'review',
  });
  expect(judged(70)).toMatchObject({ malicious: true, level: 'high', word: 'Malicious', action: 'block' });
  expect(judged(90, 90)).toMatchObject({ malicious: true, level: 'critical', word: 'Malicious' });
});

test('a contradiction of high severity asks a person before the block, as for every value', () => {
  const contradiction = { type: 'known_good', severity: 'high', title: '', description: '' } as const;
  expect(
    contactVerdictOf(judgeContact([{ sourceId: 'a', lineage: 'a', confidence: 70 }]), {
      listed: 'now',
      contradictions: [contradiction],
    }),
  ).toMatchObject({
    action: 'escalate',
  });
});

test.each([
  ['now', 'Reported'],
  ['before', 'Reported long ago'],
  ['never', 'Low suspicion'],
] as const)('at level low a contact that lists have %s is called "%s" (O59)', (listed, word) => {
  const low = { verdict: 'unknown', score: 20, level: 'low' } as const;
  expect(contactVerdictOf(low, { listed, contradictions: [] })).toMatchObject({ word, action: 'monitor' });
});

test('a contact is called malicious if and only if the field is true (O59)', () => {
  for (let confidence = 0; confidence <= 100; confidence += 1)
    for (const others of [[], [60], [60, 60]]) {
      const { malicious, word } = judged(confidence, ...others);
      expect(word === 'Malicious').toBe(malicious);
    }
});
