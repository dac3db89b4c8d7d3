import { ANONYMOUS_PLAN, type Caller } from '#capabilities/access/index.ts';
import { PLAN_LIMITS, type Plan } from '#domain/plans/plans.ts';
import { duration } from '#domain/text/duration.ts';
import { plural } from '#domain/text/plural.ts';
import { midnight, retryTime } from '#domain/text/retry-time.ts';
import { ServiceError } from '#platform/errors.ts';
import type { GuardAnswer } from './address-guard.ts';
import type { MeterAnswer } from './meter-answer.ts';

export type RefusalLinks = {
  /** The chapter of limits of the reference. */
  readonly docsUrl: string;
  /** Pages of the operator; null where there is none, and then no link is sent. */
  readonly pricingUrl: string | null;
  readonly contactUrl: string | null;
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
    `Rate limit exceeded: ${plural(burstLimit, 'request')} per minute. Try again in ${duration(answer.retryAfterMs)}.`,
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
      ? quotaUsed(monthLimit, 'check', endMs, nowMs)
      : `This request needs ${plural(units ?? 0, 'check')}, and you have ${left} of ${monthLimit} left this month. You weren't charged.`,
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
  return new ServiceError('Scan quota exceeded', quotaUsed(monthLimit, 'scan', endMs, nowMs), {
    headers: { 'Retry-After': String(retryAfter) },
    body: {
      usage: answer.used,
      limit: monthLimit,
      retryAfter,
      resetsAt: iso(endMs),
      docs: links.docsUrl,
      upgradeRequired: plan === 'FREE' || plan === 'BASIC',
      ...(caller.status === 'suspended' && { billingIssue: true }),
      cta: nextStep(plan, links),
    },
  });
}

function quotaUsed(limit: number, noun: string, endMs: number, nowMs: number): string {
  const all = limit === 1 ? `your 1 ${noun}` : `all ${plural(limit, noun)}`;
  const state = limit === 0 ? `You have no ${noun}s` : `You have used ${all}`;
  return `${state} for this month. Your quota resets ${midnight(endMs, nowMs)}.`;
}

/** The next step for the caller, as data (decisions 1.5). A link is there only where the operator has such a page. */
function nextStep(plan: Plan, { pricingUrl, contactUrl, promoCode }: RefusalLinks): Record<string, unknown> {
  const offer = (to: Plan) => ({
    plan: to,
    scansPerMonth: PLAN_LIMITS[to].scansPerMonth,
    ...hrefOf(pricingUrl, 'plan', to),
  });
  if (plan === 'FREE') return { action: 'upgrade', options: [offer('BASIC'), offer('PRO')], promoCode };
  if (plan === 'BASIC') return { action: 'upgrade', ...offer('PRO') };
  return { action: 'quote', ...hrefOf(contactUrl, 'topic', 'scans') };
}

function hrefOf(page: string | null, name: string, value: string): { readonly href?: string } {
  if (page === null) return {};
  const url = new URL(page);
  url.searchParams.set(name, value);
  return { href: url.href };
}

/** A key helps only on a route that takes one; elsewhere the advice would be wrong. */
export function addressRefusal(answer: GuardAnswer, takesKeys: boolean): ServiceError {
  const retryAfter = secondsOf(answer.retryAfterMs);
  const [without, orKey] = takesKeys ? [' without an API key', ', or send an API key'] : ['', ''];
  const when = retryTime({ waitMs: answer.retryAfterMs, resetMs: answer.resetMs });
  return new ServiceError(
    'Rate Limited',
    `Too many requests from this IP address. The limit${without} is ${plural(answer.limit, 'request')}. Try again ${when}${orKey}.`,
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
