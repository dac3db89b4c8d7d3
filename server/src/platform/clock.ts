/** The only source of the time: rules take it as an argument, and tests set it. */
export type Clock = {
  readonly now: () => number;
  /** Monotonic milliseconds for durations, because the wall clock may jump (reliability R3). */
  readonly monotonic: () => number;
};

/** `offsetMs` shifts the wall clock of the process; it is only configurable when ASSAY_ENV=test. */
export const systemClock = (offsetMs = 0): Clock => ({
  now: () => Date.now() + offsetMs,
  monotonic: () => performance.now(),
});
