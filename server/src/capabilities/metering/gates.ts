import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, type Caller, callerOf, clientAddress } from '#capabilities/access/index.ts';
import { SCAN_BURST_PER_MINUTE, SESSION_BURST_PER_MINUTE } from '#domain/plans/plans.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Charge, Gates } from '#platform/http/gates.ts';
import type { RouteConfig } from '#platform/http/mounted-route.ts';
import type { Policy } from '#platform/http/policy.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { AddressGuard, AddressLimits, GuardAnswer } from './address-guard.ts';
import type { Meter } from './meter.ts';
import { MeterAnswer, type MeterAsk } from './meter-answer.ts';
import { receiptsOf } from './receipts.ts';
import { addressRefusal, burstRefusal, type RefusalLinks, scanRefusal } from './refusals.ts';
import { burstOf, createSpending, writeHeaders, writeUsage } from './spend-for-caller.ts';
import { SpentLimits } from './spent-limits.ts';

export type MeterGatesDeps = {
  readonly meter: Meter;
  readonly guard: AddressGuard;
  readonly config: Pick<
    Config,
    | 'PUBLIC_PER_MINUTE'
    | 'ANON_PER_HOUR'
    | 'ANON_PER_MONTH'
    | 'FORMS_PER_HOUR'
    | 'PUBLIC_API_URL'
    | 'PRICING_URL'
    | 'CONTACT_URL'
    | 'UPGRADE_PROMO_CODE'
  >;
  readonly clock: Clock;
};

type MeterGates = Required<Pick<Gates, 'refuseEarly' | 'refuseSpent' | 'admit' | 'refund'>>;

export function createMeterGates(deps: MeterGatesDeps): MeterGates {
  const { meter, clock, config } = deps;
  const links: RefusalLinks = {
    docsUrl: `${config.PUBLIC_API_URL.replace(/(?<!\/)\/+$/, '')}/docs#limits`,
    pricingUrl: config.PRICING_URL ?? null,
    contactUrl: config.CONTACT_URL ?? null,
    promoCode: config.UPGRADE_PROMO_CODE ?? null,
  };
  const spentBursts = new SpentLimits<MeterAnswer>(clock);
  const { spend, spendUnlessFree } = createSpending({ meter, clock, links, spentBursts });
  const spentAddresses = new SpentLimits<GuardAnswer>(clock);

  return {
    refuseEarly: (_request, reply, policy, principal) => {
      const caller = policy.meter === 'scans' ? callerOf(principal) : null;
      return caller === null ? undefined : refuseSpentScans(caller, reply);
    },
    refuseSpent: (request, reply, policy, principal) => {
      const caller = callerOf(principal);
      if (isByAddress(policy, caller)) {
        const { id, limit } = addressBucket(deps, request, {
          principal,
          isFree: policy.meter === 'public',
          isForm: policy.meter === 'forms',
        });
        const known = spentAddresses.find(id, limit);
        if (known !== null)
          throw addressRefusal({ ...known.answer, retryAfterMs: known.retryAfterMs }, takesKeys(policy));
      } else if (caller !== null && policy.meter !== 'none' && policy.meter !== 'downloads') {
        const ask = askOf(caller, policy.meter, 0);
        const known = spentBursts.find(burstOf(ask), ask.burstLimit);
        if (known === null) return;
        const answer = known.answer.later(known.retryAfterMs);
        writeHeaders(reply, caller.plan, answer);
        throw burstRefusal(caller.plan, answer);
      }
    },
    admit: (request, reply, policy, principal, units) => {
      if (policy.meter === 'downloads') return guardDownload(deps, reply, principal, units);
      const caller = callerOf(principal);
      if (isByAddress(policy, caller))
        return guardAddress(deps, request, reply, spentAddresses, {
          // A call without units, such as a wrongly filled form, is free so that it can be corrected and sent again.
          isFree: policy.meter === 'public' || (isInUnits(policy) && units === 0),
          isForm: policy.meter === 'forms',
          takesKeys: takesKeys(policy),
          principal,
        });
      if (caller === null) return null;
      const ask = askOf(caller, policy.meter, units);
      const input = units > 0 ? request.exchange : null;
      if (input === null || policy.receipts === undefined) return spend(reply, caller, ask);
      const receipts = receiptsOf(policy.receipts(input));
      const paid = receipts === null ? ask : { ...ask, receipts };
      const { isFree } = policy;
      if (isFree === undefined) return spend(reply, caller, paid);
      return spendUnlessFree(reply, caller, paid, () => isFree(input).catch(() => false));
    },
    refund: (charge: Charge, reply: FastifyReply) => {
      if (!(charge instanceof MeterAnswer)) return;
      meter.refund(charge);
      if (!reply.raw.headersSent) writeUsage(reply, charge.ask, charge.used - charge.units);
    },
  };

  /** A scan without quota is refused before its body is read (decisions 1.4, C24). Reads only, spends nothing. */
  async function refuseSpentScans(caller: Caller, reply: FastifyReply): Promise<void> {
    const answer = await meter.spend({ ...askOf(caller, 'scans', 0), units: null });
    if (answer.used < answer.ask.monthLimit) return;
    writeHeaders(reply, caller.plan, answer);
    throw scanRefusal(caller, answer, clock.now(), links);
  }
}

/** The burst and the month that apply to a call. A free route reads the meter for its headers. */
function askOf(caller: Caller, meter: Policy['meter'], units: number): MeterAsk {
  const { accountId, limits } = caller;
  if (meter === 'scans')
    return {
      accountId,
      burstId: 'scan',
      burstLimit: SCAN_BURST_PER_MINUTE,
      meter: 'scans',
      units,
      monthLimit: limits.scansPerMonth,
    };
  const isSession = caller.kind === 'session';
  return {
    accountId,
    burstId: isSession ? `s:${caller.userId}` : caller.id,
    burstLimit: isSession ? SESSION_BURST_PER_MINUTE : limits.burstPerMinute,
    meter: meter === 'checks' ? 'checks' : null,
    units: meter === 'none' ? null : units,
    monthLimit: limits.checksPerMonth,
  };
}

const isInUnits = ({ meter }: Policy): boolean => meter === 'checks' || meter === 'forms';

const takesKeys = ({ auth }: Policy): boolean => auth !== 'public' && auth !== 'signIn';

const isByAddress = (policy: Policy, caller: Caller | null): boolean =>
  policy.meter !== 'downloads' &&
  (policy.meter === 'public' || policy.meter === 'forms' || (caller === null && policy.meter !== 'none'));

/**
 * A free call is held to the guard of public routes, because an address has no burst. Each route has its own bucket, the
 * same at both of its addresses: reading statistics must not use up the calls that signing in needs.
 */
function addressBucket(
  { config }: MeterGatesDeps,
  request: FastifyRequest,
  { principal, isFree, isForm }: AddressedCall,
): {
  readonly id: string;
  readonly address: string;
  readonly bucket: string;
  readonly limits: AddressLimits;
  readonly limit: number;
} {
  const address = principal.kind === 'anonymous' ? principal.id : addressGroup(clientAddress(request));
  const { route } = request.routeOptions.config as Partial<RouteConfig>;
  const { bucket, limits, limit } = isFree
    ? {
        bucket: `public ${route?.path ?? ''}`,
        limits: { perMinute: config.PUBLIC_PER_MINUTE },
        limit: config.PUBLIC_PER_MINUTE,
      }
    : isForm
      ? { bucket: 'forms', limits: { perHour: config.FORMS_PER_HOUR }, limit: config.FORMS_PER_HOUR }
      : {
          bucket: route?.path ?? '',
          limits: { perHour: config.ANON_PER_HOUR, perMonth: config.ANON_PER_MONTH },
          limit: config.ANON_PER_HOUR,
        };
  return { id: `${address} ${bucket}`, address, bucket, limits, limit };
}

type AddressedCall = {
  readonly principal: Principal;
  readonly isFree: boolean;
  /** True: counts in the one bucket that all forms share. */
  readonly isForm: boolean;
};

async function guardAddress(
  deps: MeterGatesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  spent: SpentLimits<GuardAnswer>,
  of: AddressedCall & { readonly takesKeys: boolean },
): Promise<null> {
  const { id, address, bucket, limits } = addressBucket(deps, request, of);
  const answer = await deps.guard.spend(address, bucket, limits);
  if (answer.isLocal) reply.header('x-meter-mode', 'local');
  if (answer.granted) return null;
  spent.remember(id, answer);
  throw addressRefusal(answer, of.takesKeys);
}

/** Files an hour for an address and for a key: fifty firewalls behind one address pull with keys (decisions O38). */
const DOWNLOADS_PER_HOUR = { anonymous: 600, known: 3_600 } as const;

async function guardDownload(
  { guard }: MeterGatesDeps,
  reply: FastifyReply,
  principal: Principal,
  units: number,
): Promise<null> {
  if (units === 0) return null;
  const isAnonymous = principal.kind === 'anonymous';
  const perHour = isAnonymous ? DOWNLOADS_PER_HOUR.anonymous : DOWNLOADS_PER_HOUR.known;
  const answer = await guard.spend(principal.id, 'downloads', { perHour });
  if (answer.isLocal) reply.header('x-meter-mode', 'local');
  reply.header('x-ratelimit-limit', String(answer.limit));
  reply.header('x-ratelimit-remaining', String(answer.remaining));
  reply.header('x-ratelimit-reset', String(answer.resetMs));
  if (!answer.granted) throw addressRefusal(answer, isAnonymous);
  return null;
}
