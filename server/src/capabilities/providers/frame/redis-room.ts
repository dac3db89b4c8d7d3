import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Redis } from '#platform/redis.ts';

/** Whether the server of a key has room for another answer. Never waits. */
export type RedisRoom = { readonly hasRoom: (id: string) => boolean };

export type RedisRoomDeps = {
  readonly redis: Pick<Redis, 'command' | 'groupOf'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
};

/**
 * Answers share Redis with the meters. A full server without eviction refuses every write, including counters
 * (fault 14), so answers, which can be looked up again, use at most half of it.
 */
const SHARE_MAX = 0.5;
const LOOK_EVERY_MS = 2_000;

type Seen = { hasRoom: boolean; lookedAtMs: number };

export function createRedisRoom({ redis, clock, log }: RedisRoomDeps): RedisRoom {
  const servers = new Map<string, Seen>();
  const look = async (id: string, group: string, seen: Seen): Promise<void> => {
    const hasRoom = isRoomy(String(await redis.command(id, ['INFO', 'memory'])));
    if (hasRoom !== seen.hasRoom) log.warn({ redis: group, hasRoom }, 'live.redis.room');
    seen.hasRoom = hasRoom;
  };
  return {
    hasRoom: (id) => {
      const group = redis.groupOf(id);
      const seen = servers.get(group) ?? { hasRoom: true, lookedAtMs: Number.NEGATIVE_INFINITY };
      servers.set(group, seen);
      const nowMs = clock.monotonic();
      if (nowMs - seen.lookedAtMs >= LOOK_EVERY_MS) {
        seen.lookedAtMs = nowMs;
        // Redis is down or INFO is not allowed: the write itself will show an error.
        look(id, group, seen).catch(() => undefined);
      }
      return seen.hasRoom;
    },
  };
}

/** A server without a limit can use the memory of its machine. */
function isRoomy(info: string): boolean {
  const numberOf = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  const limit = numberOf('maxmemory') || numberOf('total_system_memory');
  return limit === 0 || numberOf('used_memory') < limit * SHARE_MAX;
}
