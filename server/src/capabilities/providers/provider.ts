import type { z } from 'zod';
import { LIVE_NAMES } from '#platform/config-live.ts';
import type { Observation } from './observation.ts';

/** Who can be asked, in the order an operator reads them. Where a name leads is a part of `dns` that is asked alone. */
export const PROVIDERS = ['addresses', ...LIVE_NAMES] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** What one question may cost: the deadline and the caller's patience in one signal. */
export type Ask = { readonly signal: AbortSignal; readonly deadlineMs: number };

/** What an upstream said. A null value is its word that it knows nothing, and is remembered as such. */
export type Answer<V> = {
  readonly value: V | null;
  /** How long the upstream wants it to be believed (a TTL, a cache duration); the provider's own when absent. */
  readonly freshMs?: number;
};

/**
 * One outside source of facts. It asks and reads; deadlines, bulkheads, breakers, caches and metrics are the frame's
 * (reliability A4). `ask` throws `ProviderFailure` or `OutboundError`; anything it returns is bounded and inert.
 */
export type Provider<K, V> = {
  readonly name: ProviderName;
  /** Set: it cannot be asked, and this sentence says what an operator would have to do. */
  readonly unconfigured?: string;
  /** One way to write each question, at most 300 characters. */
  readonly keyOf: (key: K) => string;
  /** Who answers this one: breakers are kept per upstream, a few hundred at the most. */
  readonly upstreamOf: (key: K) => string;
  /** What a cache gives back is read through it, so that an old format is a miss. */
  readonly schema: z.ZodType<V>;
  readonly deadlineMs: number;
  /** Questions under way at once, over all upstreams. */
  readonly atOnceMax: number;
  readonly freshMs: number;
  /** How long "knows nothing" and a target's own failure are remembered. */
  readonly absentMs: number;
  /** Over 0: kept in PostgreSQL this long, and given as stale when the upstream fails. */
  readonly keepMs: number;
  readonly ask: (key: K, ask: Ask) => Promise<Answer<V>>;
  /** What an answer says about how things hang together (passive DNS, shared name servers …). */
  readonly observe?: (key: K, value: V) => readonly Observation[];
};

/**
 * `upstream`: the one we ask is at fault, which counts against its breaker. `target`: the thing asked about is (no such
 * server, handshake refused), which says nothing of the next question. `refused`: we do not ask that (SSRF).
 */
export type FailureKind = 'upstream' | 'target' | 'refused';

export class ProviderFailure extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
