import { unavailable } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import type { Replica, ReplicaView } from '#platform/replica/reader.ts';

const RETRY_AFTER_S = 5;

/** A replica that may still be on its way: a listener answers /livez while the first one is being built. */
export type LateReplica = {
  /** Throws 503 until the replica is there; afterwards it is the replica's own. */
  view: () => ReplicaView;
  isOpen: boolean;
  readonly close: () => Promise<void>;
};

export function openLate(name: string, log: Log, open: () => Promise<Replica>): LateReplica {
  let replica: Replica | null = null;
  let closed = false;
  const late: LateReplica = {
    view: () => {
      throw unavailable('This node is still loading its data. Try again shortly.', RETRY_AFTER_S);
    },
    isOpen: false,
    close: async () => {
      closed = true;
      await replica?.close();
    },
  };
  const keepTrying = async (): Promise<void> => {
    while (replica === null && !closed) {
      try {
        const opened = await open();
        replica = opened;
        late.view = () => opened.view();
        late.isOpen = true;
      } catch (error) {
        if (!closed) log.warn({ err: error, dataset: name }, 'replica is not there yet');
      }
    }
    if (closed) await replica?.close();
  };
  void keepTrying();
  return late;
}
