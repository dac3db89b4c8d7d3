import { vi } from 'vitest';

/**
 * The product waits a tenth of a second for PostgreSQL, and less for Redis, before it goes on without them. A test of
 * what the engines hold must not depend on their speed: no time limit that begins during `work` ends by itself.
 */
export async function withoutTimeouts<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}
