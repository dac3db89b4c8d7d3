import type { Clock } from '../clock.ts';
import type { ReplicaView } from './replica-view.ts';

/** How long ago the replicas of this node were known to hold everything that PostgreSQL held. */
export type ReplicaContact = {
  /** The age for the oldest replica; null while one of them is not open. */
  readonly ageMs: () => number | null;
  /** True beyond the configured bound, so also for a replicator that is stopped and reports nothing. */
  readonly isStale: () => boolean;
};

export function createReplicaContact(
  replicas: readonly { readonly isOpen: boolean; readonly view: () => Pick<ReplicaView, 'contactAtMs'> }[],
  clock: Clock,
  staleMs: number,
): ReplicaContact {
  const oldestMs = (): number | null => {
    let oldest = Number.POSITIVE_INFINITY;
    for (const replica of replicas) {
      if (!replica.isOpen) return null;
      oldest = Math.min(oldest, replica.view().contactAtMs);
    }
    return oldest;
  };
  return {
    ageMs: () => {
      const atMs = contactOf(oldestMs);
      return atMs === null ? null : Math.max(0, clock.now() - atMs);
    },
    isStale: () => {
      const atMs = contactOf(oldestMs);
      return atMs !== null && clock.now() - atMs > staleMs;
    },
  };
}

/** Null for a withdrawn replica, whose view throws. */
function contactOf(oldestMs: () => number | null): number | null {
  try {
    return oldestMs();
  } catch {
    return null;
  }
}
