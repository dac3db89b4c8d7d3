import { ServiceError, unavailable } from '#platform/errors.ts';
import type { Exchange } from './exchange.ts';

/** Bodies that are on their way, in one process. A body that arrives with its headers is here for microseconds. */
export type TransitLimits = {
  readonly totalMax: number;
  /** The limit on the sum of declared sizes, which is the memory that the bodies may come to need. */
  readonly bytesMax: number;
  /** A network is an IPv4 address or an IPv6 /64. Those who share one cannot refuse each other: its oldest body gives way. */
  readonly perNetworkMax: number;
  readonly networkBytesMax: number;
  /** Below those of a network, so that an account at one address has its next body refused instead of losing one under way. */
  readonly perAccountMax: number;
  readonly accountBytesMax: number;
};
const MIB = 1024 * 1024;
export const TRANSIT_LIMITS: TransitLimits = {
  totalMax: 2_048,
  bytesMax: 256 * MIB,
  perNetworkMax: 128,
  networkBytesMax: 128 * MIB,
  perAccountMax: 100,
  accountBytesMax: 96 * MIB,
};

const SMALL_BODY_BYTES = 4_096;
const SMALL_BODY_MS = 5_000;
const BYTES_PER_MS = 32;

/** The time that a body of this size may take: 5 s up to 4 KiB, then 1 s more for each 32 KB (reliability A8). */
export const bodyTimeMs = (bytes: number, maxMs: number): number =>
  Math.min(maxMs, SMALL_BODY_MS + Math.max(0, bytes - SMALL_BODY_BYTES) / BYTES_PER_MS);

export type BodiesInTransit = {
  readonly enter: (exchange: Exchange, network: string, bytes: number) => void;
  /** Counts the body for its account too. Returns the refusal if the account has too many bodies on their way. */
  readonly countForAccount: (exchange: Exchange, accountId: string) => ServiceError | null;
  readonly leave: (exchange: Exchange) => void;
  readonly size: () => number;
};

/**
 * Counts bodies apart from the load classes, because a half-sent body costs no work. Above a limit an old body is given
 * up and the new one accepted: an honest body takes milliseconds, so the oldest ones are held back on purpose, and a
 * refusal of new ones would be what the sender of the old ones wants. Above the limits of all, the network that holds
 * most gives way, so that a large body over a slow line is not displaced by those who hold many.
 */
export function createBodiesInTransit(
  onGivenUp: (exchange: Exchange, refusal: ServiceError) => void,
  limits: TransitLimits = TRANSIT_LIMITS,
): BodiesInTransit {
  /** In order of arrival, so that the first one is the oldest. */
  const all = new Set<Exchange>();
  const networks = new SenderCounts();
  const accounts = new SenderCounts();
  let bytes = 0;
  const leave = (exchange: Exchange): void => {
    const { bodyFrom, bodyAccount, bodyBytes } = exchange;
    if (bodyFrom === null) return;
    exchange.bodyFrom = null;
    exchange.bodyAccount = null;
    all.delete(exchange);
    bytes -= bodyBytes;
    networks.remove(bodyFrom, bodyBytes);
    if (bodyAccount !== null) accounts.remove(bodyAccount, bodyBytes);
  };
  const giveUpOldest = (network: string | null, refusal: ServiceError): void => {
    for (const exchange of all) {
      if (exchange.bodyFrom !== network) continue;
      leave(exchange);
      onGivenUp(exchange, refusal);
      return;
    }
  };
  const { totalMax, bytesMax, perNetworkMax, networkBytesMax, perAccountMax, accountBytesMax } = limits;
  return {
    enter: (exchange, network, bodyBytes) => {
      while (networks.isFull(network, bodyBytes, perNetworkMax, networkBytesMax))
        giveUpOldest(network, ofNetwork(limits));
      while (all.size >= totalMax) giveUpOldest(networks.largest('count'), ofAll());
      while (all.size > 0 && bytes + bodyBytes > bytesMax) giveUpOldest(networks.largest('bytes'), ofAll());
      exchange.bodyFrom = network;
      exchange.bodyBytes = bodyBytes;
      bytes += bodyBytes;
      all.add(exchange);
      networks.add(network, bodyBytes);
    },
    countForAccount: (exchange, accountId) => {
      if (exchange.bodyFrom === null || accountId === '') return null;
      if (accounts.isFull(accountId, exchange.bodyBytes, perAccountMax, accountBytesMax))
        return ofAccount(limits);
      exchange.bodyAccount = accountId;
      accounts.add(accountId, exchange.bodyBytes);
      return null;
    },
    leave,
    size: () => all.size,
  };
}

type SenderCount = { count: number; bytes: number };

/** How many bodies each sender has on their way, and the sum of their declared sizes. */
class SenderCounts {
  readonly #bySender = new Map<string, SenderCount>();

  add(sender: string, bytes: number): void {
    const held = this.#bySender.get(sender);
    if (held === undefined) {
      this.#bySender.set(sender, { count: 1, bytes });
      return;
    }
    held.count += 1;
    held.bytes += bytes;
  }

  remove(sender: string, bytes: number): void {
    const held = this.#bySender.get(sender);
    if (held === undefined) return;
    held.count -= 1;
    held.bytes -= bytes;
    if (held.count === 0) this.#bySender.delete(sender);
  }

  /** Reports whether one more body is too much. A body alone is always accepted: its route bounds its size. */
  isFull(sender: string, bytes: number, countMax: number, bytesMax: number): boolean {
    const held = this.#bySender.get(sender);
    return held !== undefined && (held.count >= countMax || held.bytes + bytes > bytesMax);
  }

  /** The sender that holds most; of equal ones the one that began first. */
  largest(by: keyof SenderCount): string | null {
    let [largest, most]: [string | null, number] = [null, -1];
    for (const [sender, held] of this.#bySender) if (held[by] > most) [largest, most] = [sender, held[by]];
    return largest;
  }
}

const RETRY_AFTER_S = 2;
const mib = (bytes: number): string => `${Math.floor(bytes / MIB)} MiB`;

const tooMany = (message: string): ServiceError =>
  new ServiceError('Rate Limited', message, {
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
    body: { retryAfter: RETRY_AFTER_S },
  });
const ofNetwork = ({ perNetworkMax, networkBytesMax }: TransitLimits): ServiceError =>
  tooMany(
    `Your IP address is sending more request bodies at once than the ${perNetworkMax} or ${mib(networkBytesMax)} that it may. This one was stopped to make room for a newer one. Try again in 2 seconds.`,
  );
const ofAccount = ({ perAccountMax, accountBytesMax }: TransitLimits): ServiceError =>
  tooMany(
    `Your account is sending more request bodies at once than the ${perAccountMax} or ${mib(accountBytesMax)} that it may. Wait until one has arrived, and try again in 2 seconds.`,
  );
const ofAll = (): ServiceError =>
  unavailable(
    'More request bodies are arriving at once than this service accepts. This one was stopped to make room for another. Try again in 2 seconds.',
    RETRY_AFTER_S,
  );
