import type { Clock } from './clock.ts';

export type KeptValueOptions<T> = {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How long a value answers without asking again. */
  readonly freshMs: number;
  /** How long an older one stands in when asking fails; 0 when absent: the failure is the answer. */
  readonly staleMs?: number;
  readonly load: () => Promise<T>;
};

/**
 * A value that one process reads at most once per `freshMs`, however many callers ask: they share the one question.
 * A failure is not remembered, so the next caller asks again.
 */
export function keepValue<T>({ clock, freshMs, staleMs = 0, load }: KeptValueOptions<T>): () => Promise<T> {
  let held: { readonly value: T; readonly atMs: number } | null = null;
  let asking: Promise<T> | null = null;
  const ask = async (): Promise<T> => {
    const atMs = clock.monotonic();
    try {
      const value = await load();
      held = { value, atMs };
      return value;
    } catch (error) {
      if (held !== null && clock.monotonic() - held.atMs < staleMs) return held.value;
      throw error;
    } finally {
      asking = null;
    }
  };
  return () => {
    if (held !== null && clock.monotonic() - held.atMs < freshMs) return Promise.resolve(held.value);
    asking ??= ask();
    return asking;
  };
}
