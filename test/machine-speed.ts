/** CPU milliseconds of one probe on idle cores of the machine on which `test/budget.json` was measured. */
const PROBE_MS = 3.4;
const PROBE_EVERY_MS = 500;
/** Fewer samples are not judged: one may hit a moment in which another virtual machine had the core. */
const SAMPLES_MIN = 4;

export type SpeedSample = { readonly atMs: number; readonly cpuMs: number };

/** CPU milliseconds of a fixed piece of work: 32-bit multiplications in a loop. */
export function probeSpeed(): number {
  const before = process.threadCpuUsage();
  let state = 1;
  for (let i = 0; i < 3_000_000; i++) state = (Math.imul(state, 1_103_515_245) + i) | 0;
  const { user, system } = process.threadCpuUsage(before);
  // Uses the result, because the compiler could drop a loop whose result is unused.
  return (user + system) / 1_000 + (state === 0.5 ? 1 : 0);
}

/**
 * How many times more CPU time the same work cost between two moments than on the machine of the budgets, at least 1.
 * On a core shared with other virtual machines, the time they took counts as CPU time of the process that was paused.
 */
export function slownessBetween(samples: readonly SpeedSample[], fromMs: number, toMs: number): number {
  const within = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const judged = within.length >= SAMPLES_MIN ? within : samples;
  if (judged.length < SAMPLES_MIN) return 1;
  const mean = judged.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / judged.length;
  return Math.max(1, mean / PROBE_MS);
}

/** Takes a sample twice a second until it is stopped; it costs 1 % of a core. */
export class SpeedSampler {
  readonly #samples: SpeedSample[] = [];
  #timer: NodeJS.Timeout | undefined;

  start(): void {
    // Warms up: the first runs of the loop are slow because it is not compiled yet.
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
