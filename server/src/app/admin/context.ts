import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';

/** What every administration command is given; `main.ts` makes it once. */
export type AdminContext = {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  /** Prints one line for a person on stdout. */
  readonly out: (line: string) => void;
  /** Prints one JSON document on stdout: what a command does under `--json`, and then nothing else. */
  readonly json: (document: unknown) => void;
};

/** A mistake of the operator: printed as its one sentence on stderr, exit 1, no stack. */
export class AdminError extends Error {}
