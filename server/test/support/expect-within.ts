import { expect } from 'vitest';
import { IS_FULL_SIZE } from './lane.ts';

/** Asserts milliseconds in the proofs only, because other work shares the machine in the landing lane. */
export function expectWithin(ms: number, maxMs: number): void {
  if (IS_FULL_SIZE) expect(ms).toBeLessThan(maxMs);
}
