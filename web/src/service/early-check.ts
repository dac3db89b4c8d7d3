type Open<Phase> = (value: string, signal: AbortSignal) => AsyncGenerator<Phase, void, undefined>;

export type Opened<Phase> = { readonly arrived: readonly Phase[]; readonly rest: AsyncIterable<Phase> };

export type EarlyCheck<Phase> = {
  readonly ask: (value: string) => void;
  /** The phases so far; null when this value was not asked for or was already taken. */
  readonly arrived: (value: string) => readonly Phase[] | null;
  /** Hands the stream to the first caller with the same value; null to every other. */
  readonly take: (value: string, signal: AbortSignal) => Opened<Phase> | null;
};

/**
 * A page knows its check from its address long before its scripts have loaded. The check is sent then and handed over
 * later, so that it is sent and charged once.
 */
export function createEarlyCheck<Phase>(open: Open<Phase>): EarlyCheck<Phase> {
  let sent: {
    readonly value: string;
    readonly controller: AbortController;
    readonly wire: Wire<Phase>;
  } | null = null;
  return {
    ask: (value) => {
      const controller = new AbortController();
      sent = { value, controller, wire: readAll(open(value, controller.signal)) };
    },
    arrived: (value) => (sent?.value === value ? [...sent.wire.arrived] : null),
    take: (value, signal) => {
      const taken = sent;
      sent = null;
      if (taken === null) return null;
      if (taken.value !== value || signal.aborted) {
        taken.controller.abort();
        return null;
      }
      signal.addEventListener('abort', () => taken.controller.abort(), { once: true });
      return taken.wire.handOver();
    },
  };
}

type Wire<Phase> = { readonly arrived: readonly Phase[]; readonly handOver: () => Opened<Phase> };

/**
 * Reads each phase as soon as it arrives, because a broken connection discards unread data and a slow page takes the
 * stream over only later.
 */
function readAll<Phase>(phases: AsyncGenerator<Phase, void, undefined>): Wire<Phase> {
  const arrived: Phase[] = [];
  const steps: Promise<IteratorResult<Phase, void>>[] = [];
  const read = async (): Promise<void> => {
    for (;;) {
      const step = phases.next();
      steps.push(step);
      const { done, value } = await step;
      if (done === true) return;
      arrived.push(value);
    }
  };
  // The caller of `take` sees the failure; without one, it must not become an unhandled rejection.
  read().catch(() => undefined);
  async function* after(count: number): AsyncGenerator<Phase, void, undefined> {
    // The list grows while it is iterated: the next step is pushed before the current one is yielded.
    for (const step of steps.values().drop(count)) {
      const { done, value } = await step;
      if (done === true) return;
      yield value;
    }
  }
  return { arrived, handOver: () => ({ arrived: [...arrived], rest: after(arrived.length) }) };
}
