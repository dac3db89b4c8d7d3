import type { CorpusWriteDeps } from '#capabilities/corpus/index.ts';
import type { Log } from '#platform/log.ts';
import { lockWeights, releaseHeld, type WeightVersion } from './store.ts';

/** Puts the version that waits into force from now on; null: none waits. */
export async function releaseWeights({
  system,
  clock,
  log,
}: CorpusWriteDeps & { readonly log: Log }): Promise<WeightVersion | null> {
  const released = await system.transaction(async (tx) => {
    await lockWeights(tx);
    return releaseHeld(tx, clock.now());
  });
  if (released !== null) log.info({ version: released.version }, 'weights.released');
  return released;
}
