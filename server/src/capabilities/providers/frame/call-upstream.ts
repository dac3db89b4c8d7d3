import type { Clock } from '#platform/clock.ts';
import type { Answer, Provider } from '../provider.ts';
import { classifyFailure, type Failure } from './classify-failure.ts';

export type CallEnd<V> =
  | { readonly end: 'answered'; readonly answer: Answer<V>; readonly seconds: number }
  | { readonly end: 'failed'; readonly failure: Failure; readonly error: unknown; readonly seconds: number }
  | { readonly end: 'deadline' | 'cancelled'; readonly seconds: number };

export type CallOptions = {
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Called when the provider has stopped working, which may be after the call ended at its deadline. */
  readonly onReleased: () => void;
};

/**
 * A provider gets slightly less than its deadline: only the provider knows whether the upstream or the target
 * is silent, and must be able to report it before the frame cuts it off.
 */
const OWN_SHARE = 0.95;

/** One call within the deadline of the provider. Ends in time even if the provider does not; never rejects. */
export async function callUpstream<K, V>(
  provider: Provider<K, V>,
  key: K,
  { signal, clock, onReleased }: CallOptions,
): Promise<CallEnd<V>> {
  const startedMs = clock.monotonic();
  const controller = new AbortController();
  const stopped = Promise.withResolvers<'deadline' | 'cancelled'>();
  const stop = (why: 'deadline' | 'cancelled') => {
    stopped.resolve(why);
    controller.abort();
  };
  const cancel = () => stop('cancelled');
  const timer = setTimeout(() => stop('deadline'), provider.deadlineMs);
  signal.addEventListener('abort', cancel, { once: true });
  const seconds = () => (clock.monotonic() - startedMs) / 1_000;
  const work = ask(provider, key, controller.signal);
  void work.then(onReleased);
  try {
    const first = await Promise.race([work, stopped.promise]);
    if (typeof first === 'string') return { end: first, seconds: seconds() };
    return { ...first, seconds: seconds() };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

type Said<V> =
  | { readonly end: 'answered'; readonly answer: Answer<V> }
  | { readonly end: 'failed'; readonly failure: Failure; readonly error: unknown }
  | { readonly end: 'deadline' };

async function ask<K, V>(provider: Provider<K, V>, key: K, signal: AbortSignal): Promise<Said<V>> {
  try {
    const deadlineMs = Math.floor(provider.deadlineMs * OWN_SHARE);
    const answer = await provider.ask(key, { signal, deadlineMs });
    // A value that does not fit the schema could never be read back, so it fails here.
    const value = answer.value === null ? null : provider.schema.parse(answer.value);
    return { end: 'answered', answer: { ...answer, value } };
  } catch (error) {
    const failure = classifyFailure(error);
    return failure.isLate ? { end: 'deadline' } : { end: 'failed', failure, error };
  }
}
