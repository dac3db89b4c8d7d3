type Open<Phase> = (value: string, signal: AbortSignal) => AsyncGenerator<Phase, void, undefined>;

/** What is here already, and what comes after it. */
export type Opened<Phase> = { readonly arrived: readonly Phase[]; readonly rest: AsyncIterable<Phase> };

export type EarlyCheck<Phase> = {
  /** Sends the question of this page. */
  readonly ask: (value: string) => void;
  /** What has come of it so far; null when this was not asked, or was taken. */
  readonly arrived: (value: string) => readonly Phase[] | null;
  /** Its answer, to the first who asks the same; null to everybody else. */
  readonly take: (value: string, signal: AbortSignal) => Opened<Phase> | null;
};

/**
 * A cold page knows from its address what it will ask, long before its scripts are here. One question goes ahead of them
 * and is handed over: it is asked once, and charged once.
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
 * Each phase is taken off the wire when it arrives. A connection that breaks throws away what nobody has read yet, and on a
 * slow machine the page comes later than that.
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
  // Whoever takes it is told of a failure; nobody else has to be.
  read().catch(() => undefined);
  async function* after(count: number): AsyncGenerator<Phase, void, undefined> {
    // The list grows while it is walked: the step after this one is in it before this one is handed on.
    for (const step of steps.values().drop(count)) {
      const { done, value } = await step;
      if (done === true) return;
      yield value;
    }
  }
  return { arrived, handOver: () => ({ arrived: [...arrived], rest: after(arrived.length) }) };
}
