import type { Log } from '#platform/log.ts';
import type { Link } from './link.ts';

const INFO_TIMEOUT_MS = 1_000;

/** A full server that evicts keys loses counters and events (reliability, fault 14). Only a warning is logged. */
export async function warnOfEviction(link: Link, log: Log): Promise<void> {
  try {
    const info = String(await link.sendSlowly(['INFO', 'memory'], INFO_TIMEOUT_MS));
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction';
    const isBounded = !/^maxmemory:0\s*$/m.test(info);
    if (isBounded && policy !== 'noeviction')
      log.warn({ redis: link.name, policy }, 'redis may evict counters; set maxmemory-policy noeviction');
  } catch {
    // Some services do not allow INFO; then no warning is possible.
  }
}
