/** The clock of a thread's CPU time may have ticks of 4 ms, so shorter times cannot be compared. */
const COMPARABLE_MS = 40;
const ROUNDS_MAX = 6;
const PIECES = 8;

/** CPU time of this thread only, independent of other load. */
function cpuMs(work: () => unknown): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

/**
 * The work of `large` as a multiple of the work of `small`, or 0 when `large` is too quick to compare. Takes
 * the fastest of a few rounds of each and stops as soon as the result is below `limit`: a busy machine delays
 * one round, a step that is not linear delays them all.
 */
export function timesTheWork(small: () => unknown, large: () => unknown, limit = LINEAR_TIMES_MAX): number {
  let [fastestSmall, fastestLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let times = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS_MAX && times >= limit; round += 1) {
    fastestLarge = Math.min(fastestLarge, cpuMs(large));
    if (fastestLarge < COMPARABLE_MS) return 0;
    fastestSmall = Math.min(fastestSmall, cpuMs(small));
    times = fastestLarge / fastestSmall;
  }
  return times;
}

/**
 * The whole text costs a linear step as much as its eight pieces, and a quadratic step eight times as much; 3 lies
 * between the two.
 */
export const LINEAR_TIMES_MAX = 3;

/**
 * The work of `step` for a text of this length, as a multiple of its work for eight texts of an eighth.
 * Choose a length at which a quadratic step takes 100 ms, or it counts as quick.
 */
export function timesInPieces(
  step: (text: string) => unknown,
  make: (length: number) => string,
  length: number,
): number {
  const [piece, whole] = [make(length / PIECES), make(length)];
  const inPieces = () => {
    for (let i = 0; i < PIECES; i += 1) step(piece);
  };
  return timesTheWork(inPieces, () => step(whole));
}

/**
 * True when the fastest of a few rounds takes too little CPU to compare: for input that must be rejected
 * early.
 */
export const isQuick = (work: () => unknown): boolean => timesTheWork(() => undefined, work, 0) === 0;
