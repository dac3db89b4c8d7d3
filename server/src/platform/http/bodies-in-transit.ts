import type { Exchange } from './exchange.ts';

/** Bodies that are on their way, in one process. A body that arrives with its headers is here for microseconds. */
export type TransitLimits = {
  readonly totalMax: number;
  readonly perSenderMax: number;
  /** The limit on the sum of declared sizes, which is the memory that the bodies may come to need. */
  readonly bytesMax: number;
};
export const TRANSIT_LIMITS: TransitLimits = {
  totalMax: 2_048,
  perSenderMax: 128,
  bytesMax: 256 * 1024 * 1024,
};

const SMALL_BODY_BYTES = 4_096;
const SMALL_BODY_MS = 5_000;
const BYTES_PER_MS = 32;

/** The time that a body of this size may take: 5 s up to 4 KiB, then 1 s more for each 32 KB (reliability A8). */
export const bodyTimeMs = (bytes: number, maxMs: number): number =>
  Math.min(maxMs, SMALL_BODY_MS + Math.max(0, bytes - SMALL_BODY_BYTES) / BYTES_PER_MS);

export type BodiesInTransit = {
  readonly enter: (exchange: Exchange, sender: string, bytes: number) => void;
  readonly leave: (exchange: Exchange) => void;
  readonly size: () => number;
};

/**
 * Counts bodies apart from the load classes, because a half-sent body costs no work. Above a limit the oldest body is
 * given up and the new one accepted: an honest body takes milliseconds, so the oldest ones are held back on purpose,
 * and a refusal of new ones would be what the sender of the old ones wants.
 */
export function createBodiesInTransit(
  onGivenUp: (exchange: Exchange) => void,
  limits: TransitLimits = TRANSIT_LIMITS,
): BodiesInTransit {
  /** In order of arrival, so that the first one is the oldest. */
  const all = new Set<Exchange>();
  const bySender = new Map<string, number>();
  let bytes = 0;
  const leave = (exchange: Exchange): void => {
    const sender = exchange.bodyFrom;
    if (sender === null) return;
    exchange.bodyFrom = null;
    all.delete(exchange);
    bytes -= exchange.bodyBytes;
    const left = (bySender.get(sender) ?? 1) - 1;
    if (left === 0) bySender.delete(sender);
    else bySender.set(sender, left);
  };
  const giveUp = (exchange: Exchange | undefined): void => {
    if (exchange === undefined) return;
    leave(exchange);
    onGivenUp(exchange);
  };
  const oldestOf = (sender: string): Exchange | undefined => {
    for (const exchange of all) if (exchange.bodyFrom === sender) return exchange;
    return undefined;
  };
  return {
    enter: (exchange, sender, bodyBytes) => {
      const count = bySender.get(sender) ?? 0;
      if (count >= limits.perSenderMax) giveUp(oldestOf(sender));
      while (all.size >= limits.totalMax || (all.size > 0 && bytes + bodyBytes > limits.bytesMax))
        giveUp(all.values().next().value);
      exchange.bodyFrom = sender;
      exchange.bodyBytes = bodyBytes;
      bytes += bodyBytes;
      all.add(exchange);
      bySender.set(sender, (bySender.get(sender) ?? 0) + 1);
    },
    leave,
    size: () => all.size,
  };
}
