/** Whether this process wants more work. Shared by the listener, the probes and the shutdown. */
export type Readiness = {
  readonly draining: boolean;
  readonly beginDrain: () => void;
};

export function createReadiness(): Readiness {
  let draining = false;
  return {
    get draining() {
      return draining;
    },
    beginDrain: () => {
      draining = true;
    },
  };
}
