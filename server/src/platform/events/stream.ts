import type { BlockingRedis, Redis } from '../redis.ts';

/** The stream uses its own connection. It is one key, so a single server and a cluster behave the same. */
export type StreamRedis = Pick<Redis, 'duplicateBlocking'>;

/** The limit of a stream command, added to the wait that it asks for itself. No request waits for the stream. */
export const STREAM_TIMEOUT_MS = 5_000;

/** The most events that Redis keeps. Readers do not depend on it: older events are read from the outbox. */
export const STREAM_EVENTS_MAX = 100_000;

export const streamKey = (prefix: string): string => `${prefix}:events`;

export type StreamEvent = {
  /** A number without gaps; a reader resumes after it. */
  readonly id: number;
  readonly type: string;
  readonly accountId: string | null;
  readonly occurredAt: string;
  readonly payload: unknown;
};

export async function newestId(redis: BlockingRedis, key: string): Promise<number> {
  const reply = await redis.command(['XREVRANGE', key, '+', '-', 'COUNT', '1'], STREAM_TIMEOUT_MS);
  return parseEntries(reply)[0]?.id ?? 0;
}

/** The form of XRANGE and XREAD replies: `[[id, ['event', json]], ...]`. */
export function parseEntries(reply: unknown): StreamEvent[] {
  if (!Array.isArray(reply)) return [];
  return reply.map((entry: unknown) => {
    const [id, fields] = entry as [unknown, unknown[]];
    const body = JSON.parse(String(fields[1])) as Omit<StreamEvent, 'id'>;
    return { id: Number.parseInt(String(id), 10), ...body };
  });
}
