import type { Period } from '#domain/metering/period.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import { type Redis, RedisAway } from '#platform/redis.ts';
import type { AccountUsage, MeterName } from './account-usage.ts';
import { Heartbeat } from './heartbeat.ts';
import { Ledger, type LedgerUsage } from './ledger.ts';
import { MeterAnswer, type MeterAsk } from './meter-answer.ts';
import { METER_FUNCTIONS, METER_LIBRARY, OUTCOME } from './meter-library.ts';
import { Outage } from './outage.ts';
import { receiptArgs } from './receipts.ts';
import { Settler } from './settler.ts';
import { spendLocally } from './spend-while-redis-is-down.ts';
import { UsageRegistry } from './usage-registry.ts';

export type MeterDeps = {
  readonly redis: Redis;
  /** The system pool, because the ledger is written for all accounts. */
  readonly system: Pick<Postgres, 'db'>;
  readonly config: Pick<Config, 'REDIS_PREFIX' | 'METER_SHARES' | 'METER_GRACE_MS' | 'CLOCK_OFFSET_MS'>;
  readonly clock: Clock;
  readonly log: Log;
};

export type MeterStatus = {
  /** `shared` counters; `local` ones while Redis is down; `closed` after the grace period. */
  readonly mode: 'shared' | 'local' | 'closed';
  readonly awayMs: number;
  readonly shares: number;
  readonly owingAccounts: number;
  readonly ledger: { readonly dirtyAccounts: number; readonly isFailing: boolean };
};

/** A settled month and a correct clock need one attempt; a loss and the turn of a month need one more each. */
const ATTEMPTS_MAX = 4;
/** The place of the units in an answer to a call with receipts. */
const UNITS_AT = 6;
const OUTCOME_NAMES = ['granted', 'burst', 'month'] as const;

export async function startMeter(deps: MeterDeps): Promise<Meter> {
  const meter = new Meter(deps);
  await deps.redis.loadLibrary(METER_LIBRARY);
  await meter.start();
  return meter;
}

/** Decides every charge with one Redis Function call per request; meter.lua has the rules. */
export class Meter {
  readonly #deps: MeterDeps;
  readonly #usages: UsageRegistry;
  readonly #outage: Outage;
  readonly #ledger: Ledger;
  readonly #settler: Settler;
  readonly #heartbeat: Heartbeat;
  /** 0 makes Redis use its own time; a shifted clock (tests) sends its own. */
  readonly #ownsClock: boolean;
  /** How far Redis is ahead of us, learnt when it reports another month. */
  #skewMs = 0;

  constructor(deps: MeterDeps) {
    this.#deps = deps;
    this.#ownsClock = deps.config.CLOCK_OFFSET_MS !== 0;
    this.#usages = new UsageRegistry(deps.config.REDIS_PREFIX);
    this.#outage = new Outage(deps.redis, deps.clock, deps.config.METER_GRACE_MS);
    this.#heartbeat = new Heartbeat(deps.redis, deps.config);
    this.#ledger = new Ledger({
      postgres: deps.system,
      clock: deps.clock,
      log: deps.log,
      beforeFlush: () => this.#look(),
    });
    this.#settler = new Settler({
      redis: deps.redis,
      ledger: this.#ledger,
      log: deps.log,
      processId: this.#heartbeat.processId,
    });
  }

  async start(): Promise<void> {
    this.#ledger.start();
    await this.#heartbeat.start();
  }

  /** Spends burst and units together, or nothing. Fails only with the 503 of an outage beyond its grace period. */
  spend(ask: MeterAsk): Promise<MeterAnswer> {
    const usage = this.#usages.of(ask.accountId, this.#nowMs());
    if (ask.meter !== null && !usage.isSettled) return this.#spendSettled(usage, ask, ATTEMPTS_MAX);
    return this.#call(usage, ask).then(
      (reply) => this.#judge(usage, ask, reply as number[], ATTEMPTS_MAX),
      (error: unknown) => this.#spendAlone(usage, ask, error),
    );
  }

  #judge(
    usage: AccountUsage,
    ask: MeterAsk,
    reply: readonly number[],
    attemptsLeft: number,
  ): MeterAnswer | Promise<MeterAnswer> {
    const code = reply[0] ?? OUTCOME.settleFirst;
    if (code <= OUTCOME.monthSpent) return this.#answer(usage, ask, code, reply);
    if (code === OUTCOME.settleFirst) usage.incarnation = '';
    else this.#skewMs = this.#ownsClock ? 0 : (reply[1] ?? 0) - this.#deps.clock.now();
    return this.#spendSettled(this.#usages.of(ask.accountId, this.#nowMs()), ask, attemptsLeft - 1);
  }

  /** Settles first when the account is new to this process, was lost by Redis or has a new month; then spends. */
  async #spendSettled(usage: AccountUsage, ask: MeterAsk, attemptsLeft: number): Promise<MeterAnswer> {
    let reply: number[];
    try {
      if (attemptsLeft <= 0) throw new RedisAway('The meters could not be settled.');
      if (ask.meter !== null && !usage.isSettled) await this.#settler.settle(usage);
      reply = (await this.#call(usage, ask)) as number[];
    } catch (error) {
      return this.#spendAlone(usage, ask, error);
    }
    return this.#judge(usage, ask, reply, attemptsLeft);
  }

  refund(answer: MeterAnswer): void {
    const { ask, usage, units } = answer;
    if (ask.meter === null || units === 0) return;
    const meter = ask.meter;
    if (answer.isLocal) {
      this.#usages.owe(usage, meter, -units);
      return;
    }
    const fresh = ask.receipts?.fresh ?? [];
    const keys = fresh.length === 0 ? [usage.key] : [usage.key, usage.receiptsKey];
    const argv = [
      'FCALL',
      METER_FUNCTIONS.refund,
      String(keys.length),
      ...keys,
      meter,
      String(units),
      ...fresh,
    ];
    this.#deps.redis
      .command(usage.key, argv, () => this.#usages.owe(usage, meter, units))
      .then(
        (reply) => {
          if (!Array.isArray(reply)) return this.#usages.owe(usage, meter, -units);
          usage[meter].raise({ granted: Number(reply[0]), refunded: Number(reply[1]) });
          this.#ledger.note(usage, meter);
        },
        () => this.#usages.owe(usage, meter, -units),
      );
  }

  /** Usage of the current month without spending; from the ledger while Redis is down. */
  async usageOf(accountId: string): Promise<{ period: Period; checks: number; scans: number }> {
    const usage = this.#usages.of(accountId, this.#nowMs());
    try {
      await this.#settler.settle(usage);
    } catch {
      await this.#settler.learnFromLedger(usage);
    }
    const of = (meter: MeterName) => Math.max(0, usage[meter].used + usage.unsettled(meter));
    return { period: usage.period, checks: of('checks'), scans: of('scans') };
  }

  readLedger(accountId: string, period: string): Promise<LedgerUsage> {
    return this.#ledger.read(accountId, period);
  }

  flush(): Promise<void> {
    return this.#ledger.flush();
  }

  get shares(): number {
    return this.#heartbeat.shares();
  }

  status(): MeterStatus {
    return {
      ...this.#outage.status,
      shares: this.shares,
      owingAccounts: this.#usages.owing().length,
      ledger: this.#ledger.status,
    };
  }

  /** Settles with Redis as far as possible, writes the rest to the ledger, and leaves the list of processes. */
  async close(): Promise<void> {
    await this.#heartbeat.stop();
    await this.#settler.settleAll(this.#usages.owing());
    await this.#ledger.close(this.#usages.owing());
  }

  #nowMs(): number {
    return this.#deps.clock.now() + this.#skewMs;
  }

  #call(usage: AccountUsage, ask: MeterAsk): Promise<unknown> {
    const now = this.#ownsClock ? String(this.#deps.clock.now()) : '0';
    const units = ask.units === null ? '' : String(ask.units);
    const burst = this.#burstKey(usage, ask.burstId);
    const name = METER_FUNCTIONS.meter;
    const { meter, receipts } = ask;
    if (meter === null)
      return this.#deps.redis.command(usage.key, [
        'FCALL',
        name,
        '1',
        burst,
        now,
        String(ask.burstLimit),
        units,
      ]);
    const argv = [
      'FCALL',
      name,
      receipts === undefined ? '2' : '3',
      burst,
      usage.key,
      ...(receipts === undefined ? [] : [usage.receiptsKey]),
      now,
      String(ask.burstLimit),
      units,
      meter,
      String(ask.monthLimit),
      usage.periodStart,
      usage.periodEnd,
      usage.incarnation,
      ...(receipts === undefined ? [] : receiptArgs(receipts)),
    ];
    // A reply that comes after our timeout: the call was answered locally by then, so its charge is refunded.
    return this.#deps.redis.command(usage.key, argv, (reply) => {
      if (!Array.isArray(reply) || reply[0] !== OUTCOME.granted) return;
      const units = Number(reply[UNITS_AT] ?? ask.units);
      if (units > 0) this.#usages.owe(usage, meter, -units);
    });
  }

  #answer(usage: AccountUsage, ask: MeterAsk, code: number, reply: readonly number[]): MeterAnswer {
    const [, remaining = 0, resetMs = 0, retryAfterMs = 0, granted = 0, refunded = 0] = reply;
    this.#outage.succeeded(usage.key);
    if (ask.meter !== null) this.#learn(usage, ask.meter, granted, refunded);
    return new MeterAnswer(
      ask,
      usage,
      OUTCOME_NAMES[code] ?? 'month',
      remaining,
      resetMs,
      retryAfterMs,
      Math.max(0, granted - refunded),
      false,
      code === OUTCOME.granted && (ask.units ?? 0) > 0 && reply[UNITS_AT] === 0,
    );
  }

  #learn(usage: AccountUsage, meter: MeterName, granted: number, refunded: number): void {
    const known = usage[meter];
    // Redis answers in order and its counters only rise, so a value below one seen earlier means lost data.
    if (granted < known.granted || refunded < known.refunded) usage.incarnation = '';
    if (granted <= known.granted && refunded <= known.refunded) return;
    known.raise({ granted, refunded });
    this.#ledger.note(usage, meter);
  }

  async #spendAlone(usage: AccountUsage, ask: MeterAsk, error: unknown): Promise<MeterAnswer> {
    if (!(error instanceof RedisAway))
      this.#deps.log.error(
        { reason: error instanceof Error ? error.message : 'unknown' },
        'the meter function failed; answering from local counters',
      );
    this.#outage.failed(usage.key);
    if (!usage.isKnown && ask.meter !== null) await this.#settler.learnFromLedger(usage);
    const local = { usages: this.#usages, outage: this.#outage, shares: () => this.shares };
    return spendLocally(local, usage, ask, this.#nowMs(), error);
  }

  #burstKey(usage: AccountUsage, burstId: string): string {
    const known = usage.burstKeys.get(burstId);
    if (known !== undefined) return known;
    const key = `${this.#deps.config.REDIS_PREFIX}:{${usage.accountId}}:b:${burstId}`;
    usage.burstKeys.set(burstId, key);
    return key;
  }

  /** Once a second: detects an outage before a request does, and settles owed units when Redis is back. */
  #look(): void {
    this.#outage.look();
    void this.#settler.settleAll(this.#usages.owing());
  }
}
