import { randomBytes } from 'node:crypto';
import type { Config } from '#platform/config.ts';
import type { Redis } from '#platform/redis.ts';
import { METER_FUNCTIONS } from './meter-library.ts';

const BEAT_EVERY_MS = 5_000;

/**
 * Counts the API processes that share the meters, so that each knows its share when Redis is down (foundation rule 9).
 */
export class Heartbeat {
  readonly processId = randomBytes(8).toString('hex');
  readonly #redis: Redis;
  readonly #key: string;
  readonly #fixed: number | undefined;
  #seen = 1;
  #timer: NodeJS.Timeout | undefined;

  constructor(redis: Redis, config: Pick<Config, 'REDIS_PREFIX' | 'METER_SHARES'>) {
    this.#redis = redis;
    this.#key = `${config.REDIS_PREFIX}:{nodes}:processes`;
    this.#fixed = config.METER_SHARES;
  }

  /** METER_SHARES, or the number last seen, so that an outage does not change it. */
  shares(): number {
    return this.#fixed ?? this.#seen;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#beat('stay'), BEAT_EVERY_MS).unref();
    await this.#beat('stay');
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beat('leave');
  }

  async #beat(intent: 'stay' | 'leave'): Promise<void> {
    try {
      const reply = await this.#redis.callFunction(
        METER_FUNCTIONS.heartbeat,
        [this.#key],
        [this.processId, intent],
      );
      this.#seen = Math.max(1, Number(reply));
    } catch {}
  }
}
