import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, type Caller, callerOf, clientAddress } from '#capabilities/access/index.ts';
import { SCAN_BURST_PER_MINUTE, SESSION_BURST_PER_MINUTE } from '#domain/plans/plans.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Charge, Gates } from '#platform/http/gates.ts';
import type { Policy } from '#platform/http/policy.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { AddressGuard, AddressLimits } from './address-guard.ts';
import type { Meter } from './meter.ts';
import { MeterAnswer, type MeterAsk } from './meter-answer.ts';
import { addressRefusal, burstRefusal, monthRefusal, type RefusalLinks, scanRefusal } from './refusals.ts';

export type MeterGatesDeps = {
  readonly meter: Meter;
  readonly guard: AddressGuard;
  readonly config: Pick<
    Config,
    'PUBLIC_PER_MINUTE' | 'ANON_PER_HOUR' | 'ANON_PER_MONTH' | 'PUBLIC_WEB_URL' | 'UPGRADE_PROMO_CODE'
  >;
  readonly clock: Clock;
};

type MeterGates = Pick<Gates, 'refuseEarly' | 'admit' | 'refund'>;

/** Decisions 1.4 and 1.5 at the door: who pays what, the headers, and the refusals. */
export function createMeterGates(deps: MeterGatesDeps): MeterGates {
  const { meter, clock, config } = deps;
  const links: RefusalLinks = {
    webUrl: config.PUBLIC_WEB_URL.replace(/\/+$/, ''),
    promoCode: config.UPGRADE_PROMO_CODE ?? null,
  };

  /** Not an async function: on every request, a promise more is a microsecond more. */
  function spend(reply: FastifyReply, caller: Caller, ask: MeterAsk): Promise<MeterAnswer> {
    return meter.spend(ask).then((answer) => {
      writeHeaders(reply, caller.plan, answer);
      if (answer.outcome === 'granted') return answer;
      throw refusal(caller, answer);
    });
  }

  function refusal(caller: Caller, answer: MeterAnswer): Error {
    if (answer.outcome === 'burst') return burstRefusal(caller.plan, answer);
    return answer.ask.meter === 'scans'
      ? scanRefusal(caller, answer, clock.now(), links)
      : monthRefusal(caller.plan, answer, clock.now());
  }

  return {
    refuseEarly: (_request, reply, policy, principal) => {
      const caller = policy.meter === 'scans' ? callerOf(principal) : null;
      return caller === null ? undefined : refuseSpentScans(caller, reply);
    },
    admit: (request, reply, policy, principal, units) => {
      if (principal.kind === 'operator') return null;
      const caller = callerOf(principal);
      if (policy.meter === 'public' || (caller === null && policy.meter !== 'none'))
        return guardAddress(deps, request, reply, {
          isFree: policy.meter === 'public' || (policy.meter === 'checks' && units === 0),
          principal,
        });
      return caller === null ? null : spend(reply, caller, askOf(caller, policy.meter, units));
    },
    refund: (charge: Charge, reply: FastifyReply) => {
      if (!(charge instanceof MeterAnswer)) return;
      meter.refund(charge);
      if (!reply.raw.headersSent) writeUsage(reply, charge.ask, charge.used - charge.units);
    },
  };

  /** Decisions 1.4: a scan that cannot be paid for is refused before its body is read. Looks, spends nothing. */
  async function refuseSpentScans(caller: Caller, reply: FastifyReply): Promise<void> {
    const answer = await meter.spend({ ...askOf(caller, 'scans', 0), units: null });
    if (answer.used < answer.ask.monthLimit) return;
    writeHeaders(reply, caller.plan, answer);
    throw scanRefusal(caller, answer, clock.now(), links);
  }
}

/** Which burst and which month a caller's call is held to. A route that costs nothing is looked at for its headers. */
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

/** What costs nothing is held to the guard of public routes: an address has no burst of its own. */
async function guardAddress(
  deps: MeterGatesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { isFree, principal }: { readonly isFree: boolean; readonly principal: Principal },
): Promise<null> {
  const { config } = deps;
  const address = principal.kind === 'anonymous' ? principal.id : addressGroup(clientAddress(request));
  const limits: AddressLimits = isFree
    ? { perMinute: config.PUBLIC_PER_MINUTE }
    : { perHour: config.ANON_PER_HOUR, perMonth: config.ANON_PER_MONTH };
  const bucket = isFree ? 'public' : (request.routeOptions.url ?? 'metered');
  const answer = await deps.guard.spend(address, bucket, limits);
  if (answer.isLocal) reply.header('x-meter-mode', 'local');
  if (!answer.granted) throw addressRefusal(answer);
  return null;
}

/** Decisions 1.5, on every response to an identified caller. Set one by one: a list of them would be built per call. */
function writeHeaders(reply: FastifyReply, plan: string, answer: MeterAnswer): void {
  const { ask } = answer;
  reply.header('x-ratelimit-limit', String(ask.burstLimit));
  reply.header('x-ratelimit-remaining', String(answer.remaining));
  reply.header('x-ratelimit-reset', String(answer.resetMs));
  reply.header('x-ratelimit-type', 'burst');
  reply.header('x-ratelimit-plan', plan);
  writeUsage(reply, ask, answer.used);
  if (answer.isLocal) reply.header('x-meter-mode', 'local');
}

function writeUsage(reply: FastifyReply, ask: MeterAnswer['ask'], used: number): void {
  if (ask.meter === 'checks') {
    reply.header('x-monthly-usage', String(used));
    reply.header('x-monthly-limit', String(ask.monthLimit));
    reply.header('x-monthly-percentage', percentage(used, ask.monthLimit));
  } else if (ask.meter === 'scans') {
    reply.header('x-scan-usage', String(used));
    reply.header('x-scan-limit', String(ask.monthLimit));
  }
}

/** One decimal is what a progress bar needs. */
const percentage = (used: number, limit: number): string =>
  limit <= 0 ? '100' : String(Math.round((used * 1_000) / limit) / 10);
