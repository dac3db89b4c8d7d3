/** The only way to ask for the time: rules take it as an argument, tests move it. */
export type Clock = {
  /** Wall time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Monotonic milliseconds, for durations: a wall clock may jump (reliability R3). */
  readonly monotonic: () => number;
};

/** `offsetMs` shifts the wall clock of a whole process; configuration honours it only when ASSAY_ENV=test. */
export const systemClock = (offsetMs = 0): Clock => ({
  now: () => Date.now() + offsetMs,
  monotonic: () => performance.now(),
});
