/** A request that every page needs, sent before its scripts have loaded; the first caller of `take` gets the answer. */
export type EarlyQuestion<T> = {
  readonly ask: () => void;
  /** Null when not sent or already taken: a later caller needs a fresh answer. */
  readonly take: () => Promise<T> | null;
};

export function createEarlyQuestion<T>(ask: () => Promise<T>): EarlyQuestion<T> {
  let sent: Promise<T> | null = null;
  return {
    ask: () => {
      sent = ask();
      // The caller of `take` sees the failure; without one, it must not become an unhandled rejection.
      sent.catch(() => undefined);
    },
    take: () => {
      const taken = sent;
      sent = null;
      return taken;
    },
  };
}
