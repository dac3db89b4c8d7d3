import { ErrorReply } from 'redis';

/** Redis did not do what was asked, and it is nobody's mistake: take the other path now. */
export class RedisAway extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'RedisAway';
  }
}

/** Replies that mean "not now": out of memory, loading, no quorum, a replica after a failover, no permission. */
const REFUSALS =
  /^(OOM|LOADING|MISCONF|READONLY|CLUSTERDOWN|MASTERDOWN|NOREPLICAS|TRYAGAIN|BUSY|NOAUTH|NOPERM|WRONGPASS|UNKILLABLE)\b/;

/** What the driver threw, as one of two things: `RedisAway`, or an error reply to a command that was wrong. */
export function asRedisFailure(error: unknown): Error {
  if (error instanceof RedisAway) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ErrorReply && !REFUSALS.test(message)) return error;
  return new RedisAway(`Redis is away: ${message}`, error);
}
