/** CPU milliseconds of one probe on the machine whose CPU seconds are in `test/budget.json`, with free cores. */
const PROBE_MS = 3.4;
const PROBE_EVERY_MS = 500;
/** Fewer samples say nothing: one of them may hit a moment in which the core was lent to another machine. */
const SAMPLES_MIN = 4;

export type SpeedSample = { readonly atMs: number; readonly cpuMs: number };

/** A fixed piece of work, a product of 32 bits in a loop, and the CPU time it took. */
export function probeSpeed(): number {
  const before = process.threadCpuUsage();
  let state = 1;
  for (let i = 0; i < 3_000_000; i++) state = (Math.imul(state, 1_103_515_245) + i) | 0;
  const { user, system } = process.threadCpuUsage(before);
  // The result is used, or the loop could be left out by the compiler.
  return (user + system) / 1_000 + (state === 0.5 ? 1 : 0);
}

/**
 * How much more CPU time the same work cost between two moments than on the machine of the budgets, at least 1. A core
 * that is shared with other machines counts the time that it stood still as CPU time of the process that it ran.
 */
export function slownessBetween(samples: readonly SpeedSample[], fromMs: number, toMs: number): number {
  const within = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const judged = within.length >= SAMPLES_MIN ? within : samples;
  if (judged.length < SAMPLES_MIN) return 1;
  const mean = judged.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / judged.length;
  return Math.max(1, mean / PROBE_MS);
}

/** Takes a sample twice a second until it is stopped; it costs one part in a hundred of a core. */
export class SpeedSampler {
  readonly #samples: SpeedSample[] = [];
  #timer: NodeJS.Timeout | undefined;

  start(): void {
    // The first runs of the loop are not compiled yet.
    for (let run = 0; run < 5; run++) probeSpeed();
    this.#timer = setInterval(() => {
      this.#samples.push({ atMs: performance.now(), cpuMs: probeSpeed() });
    }, PROBE_EVERY_MS);
    this.#timer.unref();
  }

  stop(): readonly SpeedSample[] {
    clearInterval(this.#timer);
    return this.#samples;
  }
}
