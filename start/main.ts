import type { SettingsPlaces } from '../server/launch/settings-files.ts';
import { buildBundle } from './build-bundle.ts';
import { buildDashboard } from './build-dashboard.ts';
import { aborted, runStart, type Stage } from './run-start.ts';
import { StartError } from './start-error.ts';
import { startSteps } from './steps.ts';
import { welcome } from './welcome.ts';

const HELP = `npm start

Runs Assay on this machine: sets up its database on the PostgreSQL and Redis that it finds, builds what is missing, and
starts the API and the worker. Ctrl-C stops them. The data stays.

Settings come from the environment, then from .env in this folder (listed in .env.example), then from data/assay.env, where
npm start writes the secrets that it generates. Examples:

  DATABASE_URL=postgres://USER:PASSWORD@HOST/assay npm start   a login that may create databases and roles
  REDIS_URL=redis://:PASSWORD@HOST:6379 npm start
  HTTP_PORT=8090 npm start
  FEEDS_ENABLED=false npm start                                downloads no public list
`;

/** `npm start`: the whole service on one machine, as one program that a person starts and stops. */
export async function main(
  args: readonly string[],
  places: SettingsPlaces,
  build: Stage['build'] = () => Promise.all([buildDashboard(true), buildBundle()]),
): Promise<void> {
  if (args.length > 0) {
    const isHelp = args.includes('--help') || args.includes('-h');
    process.stdout.write(isHelp ? HELP : `npm start has no option ${args[0]}.\n\n${HELP}`);
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  const ends: (() => unknown)[] = [];
  const { stop, hurry } = stopSignals();
  // The terminal is gone, which is no reason to leave the parts running.
  process.stdout.on('error', () => undefined);
  const steps = startSteps(process.stdout);
  try {
    const started = await runStart({
      places,
      steps,
      signal: stop,
      hurry,
      build,
      atEnd: (step) => void ends.push(step),
    });
    steps.stop();
    process.stdout.write(`${welcome(started, steps.seconds())}\n`);
    await aborted(stop);
    steps.say('Stopping the worker, then the API');
  } catch (error) {
    if (!stop.aborted) {
      const isExpected = error instanceof StartError;
      process.stderr.write(`\n${isExpected ? error.message : String((error as Error).stack ?? error)}\n`);
      process.exitCode = 1;
    }
  } finally {
    steps.doing('Stopping');
    for (let end = ends.pop(); end !== undefined; end = ends.pop())
      await Promise.resolve(end()).catch((error: unknown) =>
        process.stderr.write(`While stopping: ${error instanceof Error ? error.message : String(error)}\n`),
      );
    if (ends.length === 0 && stop.aborted) steps.say('Stopped; the data stays');
    steps.stop();
  }
}

/** The first signal stops in order; a second one ends what has not stopped yet. Parts of the service do not get either. */
function stopSignals(): { readonly stop: AbortSignal; readonly hurry: AbortSignal } {
  const [stop, hurry] = [new AbortController(), new AbortController()];
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => (stop.signal.aborted ? hurry : stop).abort(new StartError('Stopped.')));
  return { stop: stop.signal, hurry: hurry.signal };
}
