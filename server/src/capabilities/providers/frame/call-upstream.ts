import type { Clock } from '#platform/clock.ts';
import type { Answer, Provider } from '../provider.ts';
import { classifyFailure, type Failure } from './classify-failure.ts';

/** How one question to an upstream ended. */
export type CallEnd<V> =
  | { readonly end: 'answered'; readonly answer: Answer<V>; readonly seconds: number }
  | { readonly end: 'failed'; readonly failure: Failure; readonly error: unknown; readonly seconds: number }
  | { readonly end: 'deadline' | 'cancelled'; readonly seconds: number };

export type CallOptions = {
  /** Gives up with it. */
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** When the provider has really let go, which may be later than the end of the call. */
  readonly onReleased: () => void;
};

/**
 * A provider is given a little less than its deadline: it alone knows whether silence is the upstream's fault or that of
 * the very host asked about, and must get to say so before it is cut off.
 */
const OWN_SHARE = 0.95;

/** One question within the provider's deadline. Ends in time whatever the provider does; never rejects. */
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
    // What was never written the way it is read would be a miss for ever.
    const value = answer.value === null ? null : provider.schema.parse(answer.value);
    return { end: 'answered', answer: { ...answer, value } };
  } catch (error) {
    const failure = classifyFailure(error);
    return failure.isLate ? { end: 'deadline' } : { end: 'failed', failure, error };
  }
}
