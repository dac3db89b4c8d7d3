import { expect, test } from 'vitest';
import { caseOf, GRADE_A, listed } from './case.fixture.ts';
import type { ListingFacts, Subject } from './facts.ts';
import { judgeCase } from './judge-case.ts';

const PAGE = { kind: 'url', value: 'https://shop.example/pay' } as const;
const ofPage = listed('Pages', GRADE_A, { matched: PAGE.value });
const ofHost = listed('Hosts', GRADE_A, { matched: 'shop.example' });
const ofParent = listed('Names', GRADE_A, { matched: 'example', matchType: 'parent' });

const summary = (subject: Subject, listings: readonly ListingFacts[]) =>
  judgeCase(caseOf({ subject, listings })).riskScore.summary.replace(/, foremost.*/, '');

test('the summary of a page tells a listing of its host from a listing of the page', () => {
  expect(summary(PAGE, [ofPage])).toBe('Listed by 1 source');
  expect(summary(PAGE, [ofHost])).toBe('Its host is listed by 1 source');
  expect(summary(PAGE, [ofHost, ofParent])).toBe('Its host is listed by 2 sources');
  expect(summary(PAGE, [ofPage, ofHost])).toBe('Listed by 1 source, its host by 1 more');
});

test('a name whose parent alone is listed is not said to be listed itself', () => {
  const name = { kind: 'domain', value: 'shop.example' } as const;
  expect(summary(name, [ofParent])).toBe('A domain above it is listed by 1 source');
  expect(summary(name, [listed('Hosts', GRADE_A, { matched: name.value }), ofParent])).toBe(
    'Listed by 2 sources',
  );
});
