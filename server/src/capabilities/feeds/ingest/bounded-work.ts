import { GateError } from '#capabilities/lists/index.ts';

/**
 * A piece of a file (256 KiB) takes a tenth of a second in the slowest format. A worker that is held for 15 s loses its
 * lease, and with it every job it runs, so a file that costs this much is refused after its first such piece.
 */
const PIECE_CPU_MS_MAX = 3_000;

/** Does one piece of work and refuses the file if that took too much CPU time of this thread. */
export function withBoundedWork(work: () => void, cpuMsMax: number = PIECE_CPU_MS_MAX): void {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  const spentMs = (user + system) / 1_000;
  if (spentMs <= cpuMsMax) return;
  throw new GateError(
    'wrong-format',
    `Reading one piece of the file took ${(spentMs / 1_000).toFixed(1)} s of processor time, far more than a list of its size needs. The file was made to cost work, or our reader has a fault.`,
    false,
  );
}
