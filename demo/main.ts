import { LIVE_HINT } from '../server/src/app/live-hint.ts';
import { DemoError, type DemoOptions, HELP, readOptions } from './cli-options.ts';
import { exampleCommands } from './example-commands.ts';
import { readExamples } from './examples.ts';
import { claimHome } from './home.ts';
import { createCleanup, type Demo, runDemo } from './run-demo.ts';
import { startThreadedSteps } from './threaded-steps.ts';

const NODE_MAJOR_MIN = 26;
const SHOWN_EXAMPLES = 3;

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  process.stderr.write(`The demonstration needs Node ${NODE_MAJOR_MIN}. Start it with: npm run demo\n`);
  process.exit(1);
}
process.exitCode = await main();

async function main(): Promise<number> {
  const cleanup = createCleanup();
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop.abort(new DemoError('Stopped.')));
  try {
    const options = readOptions(process.argv.slice(2));
    if (options.help) {
      process.stdout.write(`${HELP}\n`);
      return 0;
    }
    const home = await claimHome(options.name);
    cleanup.add(options.keep ? home.release : home.remove);
    const steps = startThreadedSteps(process.stdout.isTTY);
    cleanup.add(steps.end);
    const demo = await runDemo({ options, home, steps, cleanup, signal: stop.signal });
    await steps.end();
    process.stdout.write(`${welcome(demo, steps.seconds(), options)}\n`);
    const ended = await Promise.race([demo.broken, aborted(stop.signal)]);
    if (ended !== null) throw new DemoError(`${ended} The demonstration stops.`);
    process.stdout.write(
      options.keep ? 'Stopping; the data is kept\n' : 'Stopping; everything it made is removed\n',
    );
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return 0;
    const isExpected = error instanceof DemoError;
    process.stderr.write(`${isExpected ? error.message : String((error as Error).stack ?? error)}\n`);
    return 1;
  } finally {
    await cleanup.run();
  }
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

function welcome(demo: Demo, seconds: string, { keep, live }: DemoOptions): string {
  const { url, hasDashboard, keyPair } = demo;
  const examples = readExamples().slice(0, SHOWN_EXAMPLES);
  const shown = examples.map(({ value, shows }) => `    ${value}\n      ${shows}`);
  const commands = exampleCommands(Date.now()).map(
    ({ shows, path }) => `    curl -H "$KEY" '${url}${path}'\n      ${shows}`,
  );
  const hint = LIVE_HINT.split('\n').map((line) => `  ${line}`.trimEnd());
  return `
  Assay is ready after ${seconds} s. All of its data is invented.

  ${hasDashboard ? `Open     ${url}/app/sign-in?with=key` : `The API  ${url}   (reference: ${url}/docs)`}
  Sign in  API key     ${keyPair.apiKey}
           API secret  ${keyPair.apiSecret}

  Paste one of these:
${shown.join('\n')}

  Or ask the API:
    KEY='X-API-KEY: ${keyPair.header}'
${commands.join('\n')}
${live ? '' : `\n${hint.join('\n')}\n  Here: npm run demo -- --live\n`}
  Ctrl-C stops it${keep ? ' and keeps the data.' : ' and removes everything it made.'}
`;
}
