import type { Socket } from 'node:net';
import type { Clock } from '#platform/clock.ts';
import { counter } from '#platform/metrics.ts';
import { type Exchange, NOWHERE } from './exchange.ts';
import { LOAD_CLASSES, type LoadClass } from './policy.ts';

/** Deadlines are checked this often: one sweep for all requests costs less than a timer for each. */
const SWEEP_MS = 50;
/** Once in this many sweeps, answers that the peer does not take are looked for. */
const STALL_SWEEPS = 4;

const stalled = counter({
  name: 'http_stalled_total',
  help: 'Connections that were ended because the peer did not take its answer.',
});

export type InFlight = {
  /** Registers the exchange for its deadline, until `close`. */
  readonly open: (exchange: Exchange) => void;
  /** Counts it in its class: the request is complete and work begins. */
  readonly begin: (exchange: Exchange) => void;
  /** Its answer was handed to the socket, or there is none: it no longer counts in its class. */
  readonly handOver: (exchange: Exchange) => void;
  readonly close: (exchange: Exchange) => void;
  readonly count: (loadClass: LoadClass) => number;
  readonly total: () => number;
  readonly stop: () => void;
};

/**
 * The requests in progress: counted for load shedding, swept for deadlines and for answers that are not taken. They are
 * kept in an array of numbered places: the tables that a Set discards as it grows and shrinks kept a third of all
 * requests alive through two collections (measured: 25 us of garbage collection a request instead of 2).
 */
export function createInFlight(
  clock: Clock,
  onDeadline: (exchange: Exchange) => void,
  writeStalledMaxMs: number,
): InFlight {
  const places: (Exchange | null)[] = [];
  const free: number[] = [];
  const counts = Object.fromEntries(LOAD_CLASSES.map((name) => [name, 0])) as Record<LoadClass, number>;
  let working = 0;
  let sweeps = 0;
  const sweep = setInterval(() => {
    sweeps += 1;
    if (free.length === places.length) return;
    const nowMs = clock.monotonic();
    const looksForStalls = sweeps % STALL_SWEEPS === 0;
    for (const exchange of places) {
      if (exchange === null) continue;
      if (exchange.deadlineAtMs <= nowMs) {
        exchange.deadlineAtMs = Number.POSITIVE_INFINITY;
        onDeadline(exchange);
      }
      if (looksForStalls && exchange.reply.raw.headersSent) endIfStalled(exchange, nowMs, writeStalledMaxMs);
    }
  }, SWEEP_MS);
  sweep.unref();
  const handOver = (exchange: Exchange): void => {
    if (!exchange.working) return;
    exchange.working = false;
    working -= 1;
    counts[exchange.mounted.policy.class] -= 1;
  };
  return {
    open: (exchange) => {
      exchange.place = free.pop() ?? places.length;
      places[exchange.place] = exchange;
    },
    begin: (exchange) => {
      if (exchange.working || exchange.place === NOWHERE) return;
      exchange.working = true;
      working += 1;
      counts[exchange.mounted.policy.class] += 1;
    },
    handOver,
    close: (exchange) => {
      handOver(exchange);
      const { place } = exchange;
      if (place === NOWHERE) return;
      exchange.place = NOWHERE;
      places[place] = null;
      free.push(place);
    },
    count: (loadClass) => counts[loadClass],
    total: () => working,
    stop: () => clearInterval(sweep),
  };
}

/** A socket with bytes to write of which the peer has taken none for the whole time is ended (reliability A8). */
function endIfStalled(exchange: Exchange, nowMs: number, stalledMaxMs: number): void {
  const { socket } = exchange.request.raw;
  if (socket.destroyed || socket.writableLength === 0) return;
  const taken = takenBytes(socket);
  if (taken !== exchange.takenBytes) {
    exchange.takenBytes = taken;
    exchange.takenAtMs = nowMs;
  } else if (nowMs - exchange.takenAtMs > stalledMaxMs) {
    stalled.inc();
    socket.destroy();
  }
}

/**
 * The bytes that the kernel has accepted. One large write is complete only at its end, so progress within it is seen by
 * the queue of the handle, which Node reads for its own socket timeout too.
 */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } | null };
  return socket.bytesWritten - (handle?.writeQueueSize ?? socket.writableLength);
}
