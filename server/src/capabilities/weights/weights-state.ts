import type { Db } from '#platform/postgres.ts';
import { heldVersion, newestRun } from './store.ts';

/** What an operator has to know of the weights. */
export type WeightsState = {
  readonly lastRunAtMs: number;
  /** The version that waits for `weights release`, and why. */
  readonly held: { readonly version: string; readonly reasons: readonly string[] } | null;
  /** Sources that are weighed less because many of their names are on top lists. */
  readonly alarms: readonly string[];
};

/** Null: nothing was learned yet. */
export async function readWeightsState(db: Db): Promise<WeightsState | null> {
  const [run, held] = [await newestRun(db), await heldVersion(db)];
  if (run === null) return null;
  return {
    lastRunAtMs: run.atMs,
    held: held && { version: held.version, reasons: held.details.reasons ?? [] },
    alarms: run.alarms,
  };
}
