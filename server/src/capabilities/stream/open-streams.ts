import type { FastifyRequest } from 'fastify';
import type { Config } from '#platform/config.ts';
import { readEventsOf, readPosition, subscribe } from '#platform/events.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { EventStream } from '#platform/http/sse.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Redis } from '#platform/redis.ts';
import { Hub } from './hub.ts';
import type { EventLog } from './resume.ts';
import { LEASE_MS, StreamLeases } from './stream-leases.ts';

export type StreamsOptions = {
  readonly config: Pick<Config, 'REDIS_PREFIX'>;
  readonly redis: Redis;
  /** The role that works across accounts: the log holds the events of all of them. */
  readonly system: Postgres;
  readonly log: Log;
};

/** What the streams of one process share. */
export type Streams = {
  readonly hub: Hub;
  readonly log: EventLog;
  readonly leases: StreamLeases;
  readonly openings: Openings;
  readonly close: () => void;
};

export function openStreams({ config, redis, system, log }: StreamsOptions): Streams {
  const prefix = config.REDIS_PREFIX;
  const hub = new Hub({
    subscribe: (options) => subscribe({ redis, postgres: system, prefix, log }, options),
    log,
  });
  const leases = new StreamLeases({ redis, prefix, log });
  const openings = new Openings();
  const renewing = setInterval(() => void leases.renewAll(), LEASE_MS / 3).unref();
  const confirming = setInterval(() => openings.confirmSome(), CONFIRM_TICK_MS).unref();
  return {
    hub,
    log: {
      position: () => readPosition(system.db),
      read: (span) => readEventsOf(system.db, span),
    },
    leases,
    openings,
    close: () => {
      clearInterval(renewing);
      clearInterval(confirming);
      hub.stop();
    },
  };
}

/** A downgrade or a revocation closes a stream within 60 s (decisions 3.13): each is confirmed every 20 s. */
const CONFIRM_TICK_MS = 1_000;
const TICKS_A_ROUND = 20;

/** An open stream with the request that its caller sent. */
export type Opening = {
  readonly stream: EventStream;
  readonly request: FastifyRequest;
  readonly principal: Principal;
  /** Identifies the caller again; rejects if the caller may no longer have a stream. */
  readonly confirm: (request: FastifyRequest, opened: Principal) => Promise<void>;
};

/** The open streams of a process in 20 parts; one part is confirmed each second, which spreads the load. */
export class Openings {
  readonly #parts = Array.from({ length: TICKS_A_ROUND }, () => new Set<Opening>());
  #turn = 0;
  #added = 0;

  add(opening: Opening): void {
    const part = this.#parts[this.#added % TICKS_A_ROUND] as Set<Opening>;
    this.#added += 1;
    part.add(opening);
    opening.stream.onClose(() => part.delete(opening));
  }

  confirmSome(): void {
    this.#turn = (this.#turn + 1) % TICKS_A_ROUND;
    for (const { stream, request, principal, confirm } of this.#parts[this.#turn] ?? [])
      confirm(request, principal).catch(() => stream.end());
  }
}
