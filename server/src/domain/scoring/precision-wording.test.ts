import { expect, test } from 'vitest';
import { caseOf, listed, NOW_H } from './case.fixture.ts';
import { judgeCase } from './judge-case.ts';
import { oneIn } from './precision-wording.ts';

const DOMAIN = { kind: 'domain', value: 'shop.example' } as const;
const sentence = (id: string, entry = {}, settings = {}) =>
  judgeCase(caseOf({ subject: DOMAIN, listings: [listed(id, { category: 'phishing', ...settings }, entry)] }))
    .riskScore.factors[0]?.description;

test('a share is told as 1 in N, with two digits', () => {
  expect([0.000376, 0.0027, 0.0112, 0.5].map(oneIn)).toEqual(['2,700', '370', '89', '2']);
});

test('the factor of a listed name says how many entries people visit, and whether its list removes entries', () => {
  expect(sentence('phishtank', { firstSeenS: (NOW_H - 24) * 3_600 })).toContain(
    'About 1 in 2,700 entries listed in the last 60 days is a site people visit. phishtank removes 33 % of its entries within 30 days.',
  );
  expect(sentence('new-list')).toContain('is not measured; its grade B decides.');
});

test('an address says nothing of visited sites', () => {
  const { factors } = judgeCase(caseOf({ listings: [listed('data-shield')] })).riskScore;
  expect(factors[0]?.description).not.toContain('people visit');
});
