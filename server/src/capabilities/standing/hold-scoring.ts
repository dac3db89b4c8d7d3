import { randomUUID } from 'node:crypto';
import { claimFollower, type FollowDeps, releaseFollower } from '#capabilities/corpus/index.ts';
import { STANDING } from './follow-standings.ts';

/** A process that ends without a word holds scoring back for this long. */
const CLAIM_MS = 120_000;
const RENEWED_MS = 30_000;

/**
 * Keeps the worker from scoring while a first import is under way. The import ends with training signals, after which every
 * indicator is scored again, so the work before would be wasted and its count would start twice. Returns how to end it.
 */
export async function holdScoring({
  transaction,
}: Pick<FollowDeps, 'transaction'>): Promise<() => Promise<void>> {
  const run = `import ${randomUUID()}`;
  const claim = () => transaction((tx) => claimFollower(tx, STANDING, run, CLAIM_MS)).catch(() => null);
  await claim();
  const renewal = setInterval(() => void claim(), RENEWED_MS);
  renewal.unref();
  return async () => {
    clearInterval(renewal);
    await transaction((tx) => releaseFollower(tx, STANDING, run)).catch(() => undefined);
  };
}
