import type { z } from 'zod';
import { LIVE_NAMES } from '#platform/config-live.ts';
import type { Observation } from './observation.ts';

/** All providers, in the order of the documentation. `addresses` is a part of `dns` that is looked up separately. */
export const PROVIDERS = ['addresses', ...LIVE_NAMES] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** The budget of one call: `signal` combines the deadline and the cancellation by callers. */
export type Ask = { readonly signal: AbortSignal; readonly deadlineMs: number };

/** The answer of an upstream. A null value means that it has no entry, and is cached as such. */
export type Answer<V> = {
  readonly value: V | null;
  /**
   * How long the answer is fresh according to the upstream (a TTL, a cache duration); the value of the
   * provider when absent.
   */
  readonly freshMs?: number;
};

/**
 * One outside source. It makes requests and parses answers; the frame has deadlines, bulkheads, breakers,
 * caches and metrics (reliability A4). `ask` throws `ProviderFailure` or `OutboundError`; everything it
 * returns is bounded and inert.
 */
export type Provider<K, V> = {
  readonly name: ProviderName;
  /** If set, the provider cannot be used, and this sentence says what an operator must configure. */
  readonly unconfigured?: string;
  /** One canonical text per query, at most 300 characters. */
  readonly keyOf: (key: K) => string;
  /** The upstream of a query: breakers are kept per upstream, a few hundred at most. */
  readonly upstreamOf: (key: K) => string;
  /** Cached values are parsed with it, so that an old format is a miss. */
  readonly schema: z.ZodType<V>;
  readonly deadlineMs: number;
  readonly atOnceMax: number;
  readonly freshMs: number;
  /** How long "no entry" and a failure of the target are cached. */
  readonly absentMs: number;
  /** Above 0: stored in PostgreSQL for this long, and returned as stale when the upstream fails. */
  readonly keepMs: number;
  readonly ask: (key: K, ask: Ask) => Promise<Answer<V>>;
  readonly observe?: (key: K, value: V) => readonly Observation[];
};

/**
 * `upstream`: the source failed, which counts against its breaker. `target`: the host in question failed (no such
 * server, handshake refused), which says nothing about the next query. `refused`: such queries are not made (SSRF).
 */
export type FailureKind = 'upstream' | 'target' | 'refused';

export class ProviderFailure extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
