import { parseArgs } from 'node:util';

export type DemoOptions = {
  /** Part of the database name, key prefix and folder, so that two demonstrations can run side by side. */
  readonly name: string | null;
  readonly port: number | null;
  readonly keep: boolean;
  readonly fresh: boolean;
  readonly live: boolean;
  readonly build: boolean;
  readonly help: boolean;
};

export const HELP = `npm run demo [-- options]

Shows Assay with invented data: starts what is missing, loads a month of sample lists, opens the dashboard's address.
Ctrl-C stops it and removes everything it made.

  --keep         keep the data when it stops; the next start takes seconds
  --fresh        load the sample again even if there is kept data
  --live         allow live lookups (DNS, registries and others are then queried about your checks)
  --no-build     show the dashboard as it was last built
  --port NUMBER  port of the dashboard and the API; default: 8080, or the next free one
  --name WORD    a second demonstration beside the first
  --help         this text

DATABASE_URL and REDIS_URL name servers to use; the demonstration makes a database and keys of its own on them.`;

/** A mistake in the options or the environment: printed as a sentence without a stack trace. */
export class DemoError extends Error {}

export function readOptions(args: readonly string[]): DemoOptions {
  const { name, port, keep, fresh, live, help, 'no-build': noBuild } = parsed(args);
  if (name !== undefined && !/^[a-z0-9_]{1,24}$/.test(name))
    throw new DemoError('--name is 1 to 24 small letters, digits or underscores.');
  const number = port === undefined ? null : Number(port);
  if (number !== null && !(Number.isInteger(number) && number > 0 && number < 65_536))
    throw new DemoError('--port is a number from 1 to 65535.');
  return {
    name: name ?? null,
    port: number,
    keep: keep === true,
    fresh: fresh === true,
    live: live === true,
    build: noBuild !== true,
    help: help === true,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        name: { type: 'string' },
        port: { type: 'string' },
        keep: { type: 'boolean' },
        fresh: { type: 'boolean' },
        live: { type: 'boolean' },
        'no-build': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new DemoError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
}
