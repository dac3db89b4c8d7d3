import type { Clock } from './clock.ts';

export type KeptValueOptions<T> = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly freshMs: number;
  /** How long an older value is used when loading fails; without it the failure is passed on. */
  readonly staleMs?: number;
  readonly load: () => Promise<T>;
};

/**
 * A value that one process loads at most once in `freshMs`; concurrent callers share one load. A failure is not kept,
 * so the next caller loads again.
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
