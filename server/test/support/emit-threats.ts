import { ThreatNew } from '#capabilities/stream/events.ts';
import { emitAll, type NewEvent } from '#platform/events.ts';
import type { Postgres } from '#platform/postgres.ts';
import { sleep } from './eventually.ts';

/** An event of some 420 bytes, stamped with the time of its transaction. */
export const threatEvent = (n: number): NewEvent => ({
  type: ThreatNew,
  accountId: null,
  occurredAt: new Date(),
  payload: {
    severity: 'high',
    categories: ['c2', 'malware'],
    indicator: { type: 'domain', value: `host-${String(n).padStart(8, '0')}.example` },
    score: 70,
    level: 'high',
    sources: { count: 2, names: ['A list of servers', 'Another list of servers'] },
    firstSeen: '2026-11-01T00:00:00.000Z',
    lastSeen: null,
  },
});

/** Commits `perSecond` events a second for some seconds, those that are due in one transaction; returns how many. */
export async function emitSteadily(system: Postgres, perSecond: number, seconds: number): Promise<number> {
  const startedMs = performance.now();
  const total = Math.round(perSecond * seconds);
  let sent = 0;
  const pending: Promise<unknown>[] = [];
  while (sent < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - startedMs) * perSecond) / 1_000));
    if (due > sent) {
      const events = Array.from({ length: due - sent }, (_, i) => threatEvent(sent + i));
      sent += events.length;
      pending.push(system.transaction((tx) => emitAll(tx, events)));
    }
    await sleep(Math.max(1, 500 / perSecond));
  }
  await Promise.all(pending);
  return total;
}
