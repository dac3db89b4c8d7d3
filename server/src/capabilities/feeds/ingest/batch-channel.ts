/** Passes batches from a reader that pushes to a consumer that pulls; at most two are in flight. */
export type BatchChannel<T> = AsyncIterable<readonly T[]> & {
  /** Returns a promise to wait for when the consumer is behind. Throws when the consumer has ended. */
  readonly push: (batch: readonly T[]) => void | Promise<void>;
};

const BATCHES_AHEAD = 2;

/** Runs `produce` and yields the batches it pushes; an error on either side ends the other. */
export async function* batchesOf<T>(
  produce: (push: BatchChannel<T>['push']) => Promise<void>,
): AsyncGenerator<readonly T[]> {
  const waiting: (readonly T[])[] = [];
  let wakeConsumer: () => void = () => undefined;
  let wakeProducer: () => void = () => undefined;
  let isOver = false;
  let isGone = false;
  let failure: { readonly error: unknown } | null = null;
  const push = (batch: readonly T[]): void | Promise<void> => {
    if (isGone) throw new Error('The consumer of these rows has ended.');
    if (batch.length === 0) return;
    waiting.push(batch);
    wakeConsumer();
    if (waiting.length < BATCHES_AHEAD) return;
    return new Promise((resolve) => {
      wakeProducer = resolve;
    });
  };
  const production = produce(push)
    .catch((error: unknown) => {
      failure = { error };
    })
    .finally(() => {
      isOver = true;
      wakeConsumer();
    });
  try {
    while (true) {
      const batch = waiting.shift();
      if (batch !== undefined) {
        wakeProducer();
        yield batch;
      } else if (isOver) break;
      else
        await new Promise<void>((resolve) => {
          wakeConsumer = resolve;
        });
    }
    if (failure !== null) throw (failure as { readonly error: unknown }).error;
  } finally {
    isGone = true;
    wakeProducer();
    await production;
  }
}
