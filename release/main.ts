import { HELP, ReleaseError, readOptions } from './cli-options.ts';
import { runRelease } from './run-release.ts';

/** The oldest major version of Node that `npm run release -- X.Y.Z` accepts. */
const NODE_MAJOR_MIN = 26;

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  process.stderr.write(`A release needs Node ${NODE_MAJOR_MIN}. Start it with: npm run release -- X.Y.Z\n`);
  process.exit(1);
}
try {
  const options = readOptions(process.argv.slice(2));
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  if (options === null) say(HELP);
  else await runRelease(options, say);
} catch (error) {
  const isExpected = error instanceof ReleaseError;
  process.stderr.write(`${isExpected ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exitCode = 1;
}
