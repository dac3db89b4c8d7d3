import { expect, test } from 'vitest';
import type { Corpus, Listing } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import { createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import { missing } from '#capabilities/providers/index.ts';
import { type Email, parseIndicator } from '#domain/indicator/index.ts';
import { registrySource } from '#test/registry.ts';
import { assessEmail } from './assess-email.ts';
import { presentReport } from './present-email.ts';

const NOW_MS = Date.UTC(2026, 10, 15, 12);
const NOW_S = NOW_MS / 1_000;
const DAY_S = 86_400;
const clock = { now: () => NOW_MS, monotonic: () => 0 };
const dated = { dataAtS: NOW_S - 3_600, lastFetchAtS: NOW_S - 3_600, category: 'malware' };
const GRADE_A = { letter: 'A', reliability: 0.95, fpRisk: 'low', ...dated } as const;
const sources = [
  registrySource({ number: 1, ...GRADE_A, signal: 'scanner' }),
  registrySource({ number: 2, ...GRADE_A }),
  registrySource({ number: 3, ...GRADE_A }),
  registrySource({ number: 4, ...dated, letter: 'B', reliability: 0.35 }),
  registrySource({ number: 5, threatClass: 'infrastructure', attributes: ['disposable-email'] }),
];
const registry = { version: '00000000', sources };
const LISTED: Readonly<Record<string, readonly number[]>> = {
  'verified-shop.com': [1],
  'accused-shop.com': [2, 3],
  'faint-shop.com': [4],
  'left-shop.com': [4],
  'throwaway-shop.com': [5],
};
const LEFT: ReadonlySet<string> = new Set(['left-shop.com']);
const unused = () => {
  throw new Error('Not used in this test.');
};
const corpus: Corpus = {
  seq: () => 1,
  neighbourhood: unused,
  accusedWithin: unused,
  lookup: (indicator) => {
    const domain = indicator.kind === 'email' ? indicator.domain.value : indicator.value;
    return {
      seq: 1,
      registry,
      listings: (LISTED[domain] ?? []).map(
        (number): Listing => ({
          source: sources[number - 1] as (typeof sources)[number],
          matchType: indicator.kind === 'email' ? 'parent' : 'exact',
          matched: domain,
          firstSeenS: NOW_S - 30 * DAY_S,
          lastSeenS: NOW_S,
          dating: 'own',
          confidence: -1,
          ...(LEFT.has(domain) && { isDelisted: true }),
        }),
      ),
    };
  },
};
const assess = createAssessor({
  corpus,
  misses: createMissCache(clock),
  clock,
  enrichment: { book: () => EMPTY_BOOK },
});
const OFF = missing('off');

function reportOf(domain: string) {
  const parsed = parseIndicator(`someone@${domain}`);
  if (!parsed.ok) throw new Error(parsed.reason);
  const assessed = assessEmail(assess, parsed.indicator as Email, OFF);
  return presentReport(assessed, { dns: OFF, whois: OFF, lookalike: null }, 'fast');
}

test('the domain of an address is malicious if and only if a check of the domain says so (O59)', () => {
  const accused = reportOf('accused-shop.com');
  expect(accused.email.domainReputation).toMatchObject({ malicious: false, blocklistHits: 2 });
  expect(accused.reasons.join(' ')).not.toMatch(/domain is (?:called )?malicious/i);

  const verified = reportOf('verified-shop.com');
  expect(verified.email.domainReputation.malicious).toBe(true);
  expect(verified.reasons[0]).toMatch(/^Its domain is called Malicious\./);
});

test.each([
  ['faint-shop.com', 'Reported'],
  ['left-shop.com', 'Reported long ago'],
  ['throwaway-shop.com', 'Low suspicion'],
])('an address of level low whose domain is %s is called %s', (domain, word) => {
  expect(reportOf(domain)).toMatchObject({
    malicious: false,
    recommendedAction: 'monitor',
    riskScore: { level: 'low', word },
  });
});
