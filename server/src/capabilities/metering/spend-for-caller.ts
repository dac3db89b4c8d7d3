import type { FastifyReply } from 'fastify';
import type { Caller } from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Meter } from './meter.ts';
import type { MeterAnswer, MeterAsk } from './meter-answer.ts';
import { burstRefusal, monthRefusal, type RefusalLinks, scanRefusal } from './refusals.ts';
import type { SpentLimits } from './spent-limits.ts';

export type SpendingDeps = {
  readonly meter: Pick<Meter, 'spend' | 'refund'>;
  readonly clock: Clock;
  readonly links: RefusalLinks;
  readonly spentBursts: SpentLimits<MeterAnswer>;
};

export type Spending = {
  /** Spends what the call asks for and writes the headers, or throws 429 or 503. */
  readonly spend: (reply: FastifyReply, caller: Caller, ask: MeterAsk) => Promise<MeterAnswer>;
  /** The same for a call that may turn out to cost nothing; null then. */
  readonly spendUnlessFree: (
    reply: FastifyReply,
    caller: Caller,
    ask: MeterAsk,
    isFree: () => Promise<boolean>,
  ) => Promise<MeterAnswer | null>;
};

export function createSpending({ meter, clock, links, spentBursts }: SpendingDeps): Spending {
  function refusal(caller: Caller, answer: MeterAnswer): Error {
    if (answer.outcome === 'burst') return burstRefusal(caller.plan, answer);
    return answer.ask.meter === 'scans'
      ? scanRefusal(caller, answer, clock.now(), links)
      : monthRefusal(caller.plan, answer, clock.now());
  }

  function granted(reply: FastifyReply, caller: Caller, answer: MeterAnswer): MeterAnswer {
    writeHeaders(reply, caller.plan, answer);
    if (answer.outcome === 'granted') return answer;
    if (answer.outcome === 'burst') spentBursts.remember(burstOf(answer.ask), answer);
    throw refusal(caller, answer);
  }

  /** Not an async function, because one more promise costs a microsecond on every request. */
  const spend: Spending['spend'] = (reply, caller, ask) =>
    meter.spend(ask).then((answer) => granted(reply, caller, answer));

  /**
   * The burst is spent before `isFree` is asked, also by a caller without units: nobody makes the service look up more
   * often than the burst allows.
   */
  const spendUnlessFree: Spending['spendUnlessFree'] = async (reply, caller, ask, isFree) => {
    const answer = await meter.spend(ask);
    if (answer.outcome === 'month') {
      const free = await spend(reply, caller, { ...ask, units: 0 });
      if (await isFree()) return free;
      throw refusal(caller, answer);
    }
    granted(reply, caller, answer);
    if (answer.units === 0 || !(await isFree())) return answer;
    meter.refund(answer);
    writeUsage(reply, ask, answer.used - answer.units);
    return null;
  };

  return { spend, spendUnlessFree };
}

export const burstOf = ({ accountId, burstId }: MeterAsk): string => `${accountId} ${burstId}`;

/** Set on every response to an identified caller (decisions 1.5). One call each: a list would be allocated per call. */
export function writeHeaders(reply: FastifyReply, plan: string, answer: MeterAnswer): void {
  const { ask } = answer;
  reply.header('x-ratelimit-limit', String(ask.burstLimit));
  reply.header('x-ratelimit-remaining', String(answer.remaining));
  reply.header('x-ratelimit-reset', String(answer.resetMs));
  reply.header('x-ratelimit-type', 'burst');
  reply.header('x-ratelimit-plan', plan);
  writeUsage(reply, ask, answer.used);
  if (answer.isLocal) reply.header('x-meter-mode', 'local');
}

export function writeUsage(reply: FastifyReply, ask: MeterAsk, used: number): void {
  if (ask.meter === 'checks') {
    reply.header('x-monthly-usage', String(used));
    reply.header('x-monthly-limit', String(ask.monthLimit));
    reply.header('x-monthly-percentage', percentage(used, ask.monthLimit));
  } else if (ask.meter === 'scans') {
    reply.header('x-scan-usage', String(used));
    reply.header('x-scan-limit', String(ask.monthLimit));
  }
}

const percentage = (used: number, limit: number): string =>
  limit <= 0 ? '100' : String(Math.round((used * 1_000) / limit) / 10);
