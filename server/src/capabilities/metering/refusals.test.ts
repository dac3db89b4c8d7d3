import { expect, test } from 'vitest';
import { MeterAnswer } from './meter-answer.ts';
import { addressRefusal, burstRefusal, monthRefusal, scanRefusal } from './refusals.ts';

const NOW_MS = Date.UTC(2026, 10, 30, 3, 33, 38);
const END_MS = Date.UTC(2026, 11, 1);
const LINKS = {
  docsUrl: 'https://api.example.test/docs#limits',
  pricingUrl: 'https://shop.example.test/plans?lang=en#prices',
  contactUrl: 'https://shop.example.test/contact',
  promoCode: 'TEN',
};

function spent(limits: { readonly burst?: number; readonly month?: number; readonly units?: number }) {
  const { burst = 60, month = 500, units = 1 } = limits;
  const ask = { burstLimit: burst, monthLimit: month, units };
  const usage = { period: { name: '202611', endMs: END_MS } };
  return Object.assign(Object.create(MeterAnswer.prototype) as MeterAnswer, {
    ask,
    usage,
    used: month,
    resetMs: NOW_MS + 60_000,
    retryAfterMs: 42_500,
  });
}

test('a wait and a limit are said in words and in the right number; the header stays in seconds', () => {
  const burst = burstRefusal('BASIC', spent({ burst: 1 }));
  expect(burst.message).toBe('Rate limit exceeded: 1 request per minute. Try again in 43 seconds.');
  expect(burst.options).toMatchObject({ headers: { 'Retry-After': '43' }, body: { retryAfter: 43 } });
  expect(monthRefusal('FREE', spent({ month: 1 }), NOW_MS).message).toBe(
    'You have used your 1 check for this month. Your quota resets tomorrow at 00:00 UTC.',
  );
  expect(monthRefusal('FREE', spent({ month: 10_000 }), NOW_MS - 86_400_000).message).toBe(
    'You have used all 10,000 checks for this month. Your quota resets on 2026-12-01 at 00:00 UTC.',
  );
});

test.each([
  [
    { waitMs: 73_582_000, resetMs: NOW_MS + 73_582_000 + 7 },
    true,
    'in 20 hours 26 minutes, or send an API key.',
  ],
  [{ waitMs: END_MS - NOW_MS, resetMs: END_MS }, false, 'tomorrow at 00:00 UTC.'],
])('a refusal of an address says when to try again: %j', ({ waitMs, resetMs }, takesKeys, end) => {
  const answer = { granted: false, limit: 10, remaining: 0, resetMs, retryAfterMs: waitMs, isLocal: false };
  const { message } = addressRefusal(answer, takesKeys);
  expect(message).toMatch(/^Too many requests from this IP address\. The limit/);
  expect(message.endsWith(`10 requests. Try again ${end}`)).toBe(true);
});

test('the next step links to the pages of the operator, with the plan, and to none that are not set', () => {
  const cta = (plan: 'FREE' | 'BASIC' | 'PRO', links = LINKS) =>
    scanRefusal({ plan, status: 'active' }, spent({}), NOW_MS, links).options.body?.cta;
  const plans = (plan: string) => `https://shop.example.test/plans?lang=en&plan=${plan}#prices`;
  expect(cta('FREE')).toEqual({
    action: 'upgrade',
    options: [
      { plan: 'BASIC', scansPerMonth: 25_000, href: plans('BASIC') },
      { plan: 'PRO', scansPerMonth: 250_000, href: plans('PRO') },
    ],
    promoCode: 'TEN',
  });
  expect(cta('BASIC')).toEqual({
    action: 'upgrade',
    plan: 'PRO',
    scansPerMonth: 250_000,
    href: plans('PRO'),
  });
  expect(cta('PRO')).toEqual({ action: 'quote', href: 'https://shop.example.test/contact?topic=scans' });
  const none = { ...LINKS, pricingUrl: null, contactUrl: null } as unknown as typeof LINKS;
  expect(JSON.stringify([cta('FREE', none), cta('BASIC', none), cta('PRO', none)])).not.toContain('href');
});
