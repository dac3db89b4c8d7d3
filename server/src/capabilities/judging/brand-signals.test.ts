import { describe, expect, test } from 'vitest';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { assess, type Moment } from './assess.ts';
import { createVerdictMemo } from './verdict-memo.ts';

/** A fresh installation: no list is loaded and nothing is trained. */
const FRESH: Moment = {
  nowMs: Date.UTC(2026, 7, 23),
  answer: { listings: [], seq: 0, registry: { sources: [], version: '00000000' } },
  book: EMPTY_BOOK,
  asnListing: () => null,
};
const memo = createVerdictMemo();

function judged(text: string) {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return assess(memo, parsed.indicator as Indicator, FRESH).verdict;
}

describe('on a fresh installation', () => {
  test.each([
    'netflix-login.vercel.app',
    'paypal-verification.weebly.com',
    'microsoft-365-login.web.app',
    'secure.bankofamerica.com.kjhd.ru',
    'login.microsoftonline.com.auth-session.co',
    'appleid.apple.com.verify-user.info',
    'paypa1.com',
    'go0gle.com',
    'netfl1x.com',
    'g00gle.com',
    'bankofamerica-alert.com',
    'appleid-icloud.com',
    'microsoft-support.xyz',
    'аpple.com',
    'https://secure.bankofamerica.com.kjhd.ru/login',
  ])('%s is to be reviewed, and no list and no scanner accuses it', (text) => {
    const { riskScore, evidence, malicious, blocklistHits, reputation } = judged(text);
    expect(riskScore.score).toBeGreaterThanOrEqual(35);
    expect(riskScore.level).toBe('medium');
    expect(evidence.recommendedAction).toBe('review');
    expect({ malicious, blocklistHits, suspicious: reputation.suspicious }).toEqual({
      malicious: false,
      blocklistHits: 0,
      suspicious: 0,
    });
  });

  test.each([
    'yahoo.ca',
    'login.microsoftonline.com',
    'www.paypal.com',
    'docs.google.com.mcas.ms',
    'weebly.com',
  ])('%s is not suspected', (text) => {
    expect(judged(text).riskScore.score).toBe(0);
  });

  test('names that share no brand share no sentence of the cached verdict', () => {
    const sentence = (text: string): string => judged(text).riskScore.factors[0]?.description ?? '';
    expect(sentence('netflix-login.vercel.app')).toContain('Netflix');
    expect(sentence('paypal-login.vercel.app')).toContain('PayPal');
    expect(sentence('paypa1.com')).toContain('paypal.com');
    expect(sentence('g00gle.com')).toContain('google.com');
    expect(sentence('login-xkcd-qwrtzpsdfg-123456.weebly.com')).toContain('6 digits');
    expect(sentence('login-xkcd-qwrtzpsdfg-1234567.weebly.com')).toContain('7 digits');
  });
});
