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
