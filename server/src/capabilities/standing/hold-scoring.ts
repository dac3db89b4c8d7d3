import { randomUUID } from 'node:crypto';
import type { FollowDeps } from '#capabilities/corpus/index.ts';
import { claimFollower } from '#capabilities/corpus/index.ts';
import { STANDING } from './follow-standings.ts';

/** A process that ends without a word holds scoring back for this long. */
const CLAIM_MS = 120_000;
const RENEWED_MS = 30_000;
/** Every process opens new signals and networks within 15 seconds. */
const SETTLE_MS = 30_000;

/**
 * Keeps the worker from scoring while a first import is under way. The import ends with training signals, after which every
 * indicator is scored again, so the work before would be wasted and its count would start twice. Returns how to end it.
 */
export async function holdScoring({
  transaction,
}: Pick<FollowDeps, 'transaction'>): Promise<() => Promise<void>> {
  const run = `import ${randomUUID()}`;
  const claim = (forMs: number) =>
    transaction((tx) => claimFollower(tx, STANDING, run, forMs)).catch(() => null);
  await claim(CLAIM_MS);
  const renewal = setInterval(() => void claim(CLAIM_MS), RENEWED_MS);
  renewal.unref();
  return async () => {
    clearInterval(renewal);
    await claim(SETTLE_MS);
  };
}
