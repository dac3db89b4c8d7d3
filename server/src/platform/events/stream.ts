import type { BlockingRedis, Redis } from '../redis.ts';

/** The stream lives on a connection of its own: one key, so a single server and a cluster look the same. */
export type StreamRedis = Pick<Redis, 'duplicateBlocking'>;

/** Beyond what the command itself waits. The stream is not on the path of a request; it may take its time. */
export const STREAM_TIMEOUT_MS = 5_000;

/** Decisions 3.13: the log holds 100,000 events. */
export const STREAM_EVENTS_MAX = 100_000;

export const streamKey = (prefix: string): string => `${prefix}:events`;

/** What one event looks like inside the stream and to whoever subscribes. */
export type StreamEvent = {
  /** A number without gaps; a reader resumes after it. */
  readonly id: number;
  readonly type: string;
  readonly accountId: string | null;
  readonly occurredAt: string;
  readonly payload: unknown;
};

/** The newest id in the stream, 0 when it is empty. */
export async function newestId(redis: BlockingRedis, key: string): Promise<number> {
  const reply = await redis.command(['XREVRANGE', key, '+', '-', 'COUNT', '1'], STREAM_TIMEOUT_MS);
  return parseEntries(reply)[0]?.id ?? 0;
}

/** `[[id, ['event', json]], ...]`, as XRANGE and XREAD answer. */
export function parseEntries(reply: unknown): StreamEvent[] {
  if (!Array.isArray(reply)) return [];
  return reply.map((entry: unknown) => {
    const [id, fields] = entry as [unknown, unknown[]];
    const body = JSON.parse(String(fields[1])) as Omit<StreamEvent, 'id'>;
    return { id: Number.parseInt(String(id), 10), ...body };
  });
}
