/** A question that every page has, sent before its scripts are here; its answer goes to the first who asks. */
export type EarlyQuestion<T> = {
  readonly ask: () => void;
  /** Null when it was not asked, or was taken: whoever asks later wants to know how it is then. */
  readonly take: () => Promise<T> | null;
};

export function createEarlyQuestion<T>(ask: () => Promise<T>): EarlyQuestion<T> {
  let sent: Promise<T> | null = null;
  return {
    ask: () => {
      sent = ask();
      // Whoever takes it is told of a failure; nobody else has to be.
      sent.catch(() => undefined);
    },
    take: () => {
      const taken = sent;
      sent = null;
      return taken;
    },
  };
}
