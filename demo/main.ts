import { startSteps } from '../start/steps.ts';
import { DemoError, HELP, readOptions } from './cli-options.ts';
import { readExamples } from './examples.ts';
import { claimHome } from './home.ts';
import { createCleanup, type Demo, runDemo } from './run-demo.ts';

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
    const steps = startSteps(process.stdout);
    const demo = await runDemo({ options, home, steps, cleanup, signal: stop.signal });
    process.stdout.write(`${welcome(demo, steps.seconds(), options.keep)}\n`);
    const ended = await Promise.race([demo.broken, aborted(stop.signal)]);
    if (ended !== null) throw new DemoError(`${ended} The demonstration stops.`);
    steps.say(options.keep ? 'Stopping; the data is kept' : 'Stopping; everything it made is removed');
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

function welcome({ url, hasDashboard, keyPair }: Demo, seconds: string, isKept: boolean): string {
  const examples = readExamples();
  const shown = examples.slice(0, SHOWN_EXAMPLES).map(({ value, shows }) => `    ${value}\n      ${shows}`);
  return `
  Assay is ready after ${seconds} s. All of its data is invented.

  ${hasDashboard ? `Open     ${url}/app/sign-in?with=key` : `The API  ${url}   (reference: ${url}/docs)`}
  Sign in  API key     ${keyPair.apiKey}
           API secret  ${keyPair.apiSecret}
  Or ask   curl -H 'X-API-KEY: ${keyPair.header}' '${url}/check?query=${encodeURIComponent(examples[0]?.value ?? '')}'

  Paste one of these:
${shown.join('\n')}

  Ctrl-C stops it${isKept ? ' and keeps the data.' : ' and removes everything it made.'}
`;
}
