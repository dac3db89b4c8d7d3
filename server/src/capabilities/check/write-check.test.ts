import { expect, test } from 'vitest';
import type { CheckResult } from './contract.ts';
import { writeCheck } from './write-check.ts';

const shared = { riskScore: { score: 42, level: 'medium', word: 'Suspicious "quoted"' } };
const result = (query: string): CheckResult =>
  ({
    query,
    malicious: false,
    ...shared,
    confidence: undefined,
    sources: [{ id: 'a', family: 'Ünïcode \u2028' }, { id: 'b' }],
    whois: null,
    reputation: { malicious: 0 },
    evidence: { reasons: [query] },
  }) as unknown as CheckResult;

test.each(['evil.com', 'a"b\\c', '\u0000\ud800'])('the text equals that of JSON.stringify: %j', (query) => {
  expect(writeCheck(result(query))).toBe(JSON.stringify(result(query)));
  // The second time the text of the shared parts comes from the cache.
  expect(writeCheck(result(query))).toBe(JSON.stringify(result(query)));
});

test('an answer without a target and an empty list of sources are written too', () => {
  const empty = { malicious: false, apiVersion: 'v2', enrichmentLevel: 'basic' } as CheckResult;
  expect(writeCheck(empty)).toBe(JSON.stringify(empty));
  expect(writeCheck({ ...empty, sources: [] })).toBe(JSON.stringify({ ...empty, sources: [] }));
});
