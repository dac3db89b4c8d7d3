import { ANONYMOUS_PLAN, type Caller } from '#capabilities/access/index.ts';
import { PLAN_LIMITS, type Plan } from '#domain/plans/plans.ts';
import { ServiceError } from '#platform/errors.ts';
import type { GuardAnswer } from './address-guard.ts';
import type { MeterAnswer } from './meter-answer.ts';

export type RefusalLinks = {
  /** The page of plans, without a trailing slash. */
  readonly webUrl: string;
  readonly promoCode: string | null;
};

/** Whole seconds, at least one, because 0 s would be too early. */
const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));
const iso = (ms: number): string => new Date(ms).toISOString();

export function burstRefusal(plan: string, answer: MeterAnswer): ServiceError {
  const { burstLimit } = answer.ask;
  const retryAfter = secondsOf(answer.retryAfterMs);
  return new ServiceError(
    'Rate Limited',
    `${burstLimit} requests a minute are allowed here and they are used up. Try again in ${retryAfter} s.`,
    {
      headers: { 'Retry-After': String(retryAfter) },
      body: {
        plan,
        retryAfter,
        rateLimit: { limit: burstLimit, remaining: 0, resetAt: iso(answer.resetMs) },
      },
    },
  );
}

export function monthRefusal(plan: Plan, answer: MeterAnswer, nowMs: number): ServiceError {
  const { monthLimit, units } = answer.ask;
  const { endMs } = answer.usage.period;
  const retryAfter = secondsOf(endMs - nowMs);
  const left = Math.max(0, monthLimit - answer.used);
  return new ServiceError(
    'Rate Limited',
    left === 0
      ? `All ${monthLimit} checks of this month are used. They start again on ${iso(endMs).slice(0, 10)}.`
      : `This call needs ${units} checks and ${left} of ${monthLimit} are left this month. Nothing was charged.`,
    {
      headers: { 'Retry-After': String(retryAfter) },
      body: {
        plan,
        usage: { current: answer.used, limit: monthLimit },
        upgradeRequired: true,
        resetsAt: iso(endMs),
        retryAfter,
      },
    },
  );
}

/** In form 2 of contract 7 `usage` is a number. */
export function scanRefusal(
  caller: Pick<Caller, 'plan' | 'status'>,
  answer: MeterAnswer,
  nowMs: number,
  links: RefusalLinks,
): ServiceError {
  const { plan } = caller;
  const { monthLimit } = answer.ask;
  const { endMs } = answer.usage.period;
  const retryAfter = secondsOf(endMs - nowMs);
  return new ServiceError(
    'Scan quota exceeded',
    `All ${monthLimit} scans of this month are used. They start again on ${iso(endMs).slice(0, 10)}.`,
    {
      headers: { 'Retry-After': String(retryAfter) },
      body: {
        usage: answer.used,
        limit: monthLimit,
        retryAfter,
        resetsAt: iso(endMs),
        docs: `${links.webUrl}/docs/limits`,
        upgradeRequired: plan === 'FREE' || plan === 'BASIC',
        ...(caller.status === 'suspended' && { billingIssue: true }),
        cta: nextStep(plan, links),
      },
    },
  );
}

/** The next step for the caller, as data (decisions 1.5). */
function nextStep(plan: Plan, { webUrl, promoCode }: RefusalLinks): Record<string, unknown> {
  const offer = (to: Plan) => ({
    plan: to,
    scansPerMonth: PLAN_LIMITS[to].scansPerMonth,
    href: `${webUrl}/pricing?plan=${to}`,
  });
  if (plan === 'FREE') return { action: 'upgrade', options: [offer('BASIC'), offer('PRO')], promoCode };
  if (plan === 'BASIC') return { action: 'upgrade', ...offer('PRO') };
  return { action: 'quote', href: `${webUrl}/contact?topic=scans` };
}

/** A key helps only on a route that takes one; elsewhere the advice would be wrong. */
export function addressRefusal(answer: GuardAnswer, takesKeys: boolean): ServiceError {
  const retryAfter = secondsOf(answer.retryAfterMs);
  const calls = takesKeys ? 'here without an API key' : 'here';
  return new ServiceError(
    'Rate Limited',
    `This address has made the ${answer.limit} calls it may make ${calls}. Try again in ${retryAfter} s${takesKeys ? ', or send a key' : ''}.`,
    {
      headers: {
        'Retry-After': String(retryAfter),
        'X-RateLimit-Limit': String(answer.limit),
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': String(answer.resetMs),
        'X-RateLimit-Type': 'burst',
        'X-RateLimit-Plan': ANONYMOUS_PLAN,
      },
      body: {
        plan: ANONYMOUS_PLAN,
        retryAfter,
        rateLimit: { limit: answer.limit, remaining: 0, resetAt: iso(answer.resetMs) },
      },
    },
  );
}
