import { unavailable } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import type { Replica, ReplicaView } from '#platform/replica/reader.ts';

const RETRY_AFTER_S = 5;
/** Pause between attempts to open, because attempts that fail at once would keep the process too busy for /livez. */
const PAUSE_MIN_MS = 200;
const PAUSE_MAX_MS = 5_000;

/** A replica that may not be ready yet: a listener answers /livez while the first one is built. */
export type LateReplica = {
  /** Throws 503 until the replica is open. */
  view: () => ReplicaView;
  isOpen: boolean;
  readonly close: () => Promise<void>;
};

export function openLate(name: string, log: Log, open: () => Promise<Replica>): LateReplica {
  let replica: Replica | null = null;
  let closed = false;
  let endPause: () => void = () => undefined;
  const late: LateReplica = {
    view: () => {
      throw unavailable('This node is still loading its data. Try again shortly.', RETRY_AFTER_S);
    },
    isOpen: false,
    close: async () => {
      closed = true;
      endPause();
      await replica?.close();
    },
  };
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const keepTrying = async (): Promise<void> => {
    let pauseMs = PAUSE_MIN_MS;
    while (replica === null && !closed) {
      try {
        const opened = await open();
        replica = opened;
        late.view = () => opened.view();
        late.isOpen = true;
      } catch (error) {
        if (closed) break;
        log.warn({ err: error, dataset: name, retryMs: pauseMs }, 'replica is not ready yet');
        await pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS);
      }
    }
    if (closed) await replica?.close();
  };
  void keepTrying();
  return late;
}
