/** Why there is no answer, in words that stand in logs, metrics and the check stream's `degraded`. */
export type MissingReason =
  | 'off'
  | 'unconfigured'
  | 'inapplicable'
  | 'busy'
  | 'breaker'
  | 'deadline'
  | 'failed'
  | 'refused'
  | 'cancelled'
  | 'uncached';

/** What became of one question. Never an exception: a provider that fails is a fact about the answer. */
export type Outcome<V> =
  | { readonly state: 'found'; readonly value: V; readonly fetchedAtMs: number; readonly isStale: boolean }
  /** The upstream answered, and knows nothing. */
  | { readonly state: 'absent'; readonly fetchedAtMs: number }
  | { readonly state: 'missing'; readonly reason: MissingReason };

export const missing = (reason: MissingReason): Outcome<never> => ({ state: 'missing', reason });

export const foundValue = <V>(outcome: Outcome<V>): V | null =>
  outcome.state === 'found' ? outcome.value : null;

/** True when a caller should be told that this part of the answer could not be had. */
export const isDegraded = (outcome: Outcome<unknown>): boolean =>
  outcome.state === 'missing' &&
  outcome.reason !== 'off' &&
  outcome.reason !== 'unconfigured' &&
  outcome.reason !== 'inapplicable';

export type AskOptions = { readonly deadlineMs?: number; readonly signal?: AbortSignal };

/** A provider inside its frame. */
export type Lookup<K, V> = {
  readonly name: string;
  /** False: switched off or without a key. Every question is then `missing` at once. */
  readonly isOn: boolean;
  /** What is remembered, asking nobody; `missing: uncached` otherwise. At most one Redis call. */
  readonly cached: (key: K) => Promise<Outcome<V>>;
  /** Remembered, or asked within the deadline. Never rejects. */
  readonly ask: (key: K, options?: AskOptions) => Promise<Outcome<V>>;
  /** Asks behind the caller's back when there is room, so that the next one finds it remembered. */
  readonly warm: (key: K) => void;
};
