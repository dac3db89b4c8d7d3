/**
 * Why there is no answer; these words appear in logs and metrics. `underway`: the caller did not wait any longer, and the
 * lookup goes on behind the answer. `deadline`: the lookup itself has ended without an answer.
 */
export type MissingReason =
  | 'off'
  | 'unconfigured'
  | 'inapplicable'
  | 'busy'
  | 'breaker'
  | 'deadline'
  | 'underway'
  | 'failed'
  | 'refused'
  | 'cancelled'
  | 'uncached';

/** The result of one lookup. A failing provider is an outcome, never an exception. */
export type Outcome<V> =
  | { readonly state: 'found'; readonly value: V; readonly fetchedAtMs: number; readonly isStale: boolean }
  | { readonly state: 'absent'; readonly fetchedAtMs: number }
  | { readonly state: 'missing'; readonly reason: MissingReason };

export const missing = (reason: MissingReason): Outcome<never> => ({ state: 'missing', reason });

export const foundValue = <V>(outcome: Outcome<V>): V | null =>
  outcome.state === 'found' ? outcome.value : null;

export const isDegraded = (outcome: Outcome<unknown>): boolean =>
  outcome.state === 'missing' &&
  outcome.reason !== 'off' &&
  outcome.reason !== 'unconfigured' &&
  outcome.reason !== 'inapplicable';

export type AskOptions = {
  /** Counts from the start of the lookup, which another caller may have begun. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
  /** Does not wait for an upstream that fails or has stalled: it is tested behind the answer. */
  readonly isBrief?: boolean;
};

export type Lookup<K, V> = {
  readonly name: string;
  /** False: switched off or without a key. Every lookup is then `missing` at once. */
  readonly isOn: boolean;
  /** Reads caches only, with at most one Redis call; `missing: uncached` otherwise. */
  readonly cached: (key: K) => Promise<Outcome<V>>;
  /** Cached, or looked up within the deadline. Never rejects. */
  readonly ask: (key: K, options?: AskOptions) => Promise<Outcome<V>>;
  /** Looks up in the background when there is room, so that the next caller finds it cached. */
  readonly warm: (key: K) => void;
};
