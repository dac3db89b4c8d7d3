import { ErrorReply } from 'redis';

/** Redis did not carry out the command, through no fault of the caller; continue without Redis. */
export class RedisAway extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'RedisAway';
  }
}

/** Replies of a temporary failure: out of memory, loading, no quorum, a replica after a failover, no permission. */
const REFUSALS =
  /^(OOM|LOADING|MISCONF|READONLY|CLUSTERDOWN|MASTERDOWN|NOREPLICAS|TRYAGAIN|BUSY|NOAUTH|NOPERM|WRONGPASS|UNKILLABLE)\b/;

/** Turns an error of the driver into `RedisAway`, or returns the error reply to an invalid command. */
export function asRedisFailure(error: unknown): Error {
  if (error instanceof RedisAway) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ErrorReply && !REFUSALS.test(message)) return error;
  return new RedisAway(`Redis is away: ${message}`, error);
}
