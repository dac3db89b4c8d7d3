import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { bySize } from './lane.ts';

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The shortest wait in the landing lane, where other work shares the machine. */
const PATIENCE_MS = bySize(180_000, 0);

/**
 * Waits for a condition; fails with `what` when it does not become true in time. `withinMs` is exact in the
 * proofs.
 */
export async function eventually(
  what: string,
  withinMs: number,
  isTrue: () => Promise<boolean> | boolean,
): Promise<number> {
  const startedAt = performance.now();
  const limitMs = Math.max(withinMs, PATIENCE_MS);
  for (;;) {
    if (await isTrue()) return performance.now() - startedAt;
    if (performance.now() - startedAt > limitMs)
      throw new Error(`Not within ${Math.round(limitMs)} ms: ${what}`);
    await sleep(20);
  }
}

/**
 * Below the range from which the system takes ports for outgoing connections (32768 on Linux): between the probe and
 * the start of the server, a connection of another test cannot take it.
 */
const [FIRST_PORT, LAST_PORT] = [12_000, 32_000];

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => probe.close(resolve));
    if (isFree) return port;
  }
}
