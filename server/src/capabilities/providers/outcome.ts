/** Why there is no answer; these words appear in logs, metrics and `degraded` of the check stream. */
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

export type AskOptions = { readonly deadlineMs?: number; readonly signal?: AbortSignal };

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
