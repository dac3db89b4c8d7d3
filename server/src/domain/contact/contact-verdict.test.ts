import { expect, test } from 'vitest';
import { contactVerdictOf } from './contact-verdict.ts';
import { judgeContact } from './judge-contact.ts';

const judged = (...confidences: readonly number[]) =>
  contactVerdictOf(
    judgeContact(confidences.map((confidence, i) => ({ sourceId: `${i}`, lineage: `${i}`, confidence }))),
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
  expect(judged(70)).toMatchObject({ malicious: true, level: 'high', word: 'High risk', action: 'block' });
  expect(judged(90, 90)).toMatchObject({ malicious: true, level: 'critical', word: 'Malicious' });
});

test('a contradiction of high severity asks a person before the block, as for every value', () => {
  const contradiction = { type: 'known_good', severity: 'high', title: '', description: '' } as const;
  expect(
    contactVerdictOf(judgeContact([{ sourceId: 'a', lineage: 'a', confidence: 70 }]), [contradiction]),
  ).toMatchObject({
    action: 'escalate',
  });
});
