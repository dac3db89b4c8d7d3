import { HELP, Refusal, readOptions } from './options.ts';
import { renderReport } from './render-report.ts';
import { runCheck } from './run-check.ts';
import { Unreachable } from './wire.ts';

const PROGRESS_MS = 5_000;

/** Writes the current step to stderr every five seconds, also while one answer takes long. */
function createProgress(): (words: string) => void {
  let words = 'asking';
  setInterval(() => process.stderr.write(`${words}\n`), PROGRESS_MS).unref();
  return (latest) => {
    words = latest;
  };
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === null) {
    process.stdout.write(HELP);
    return 0;
  }
  const report = await runCheck(options, createProgress());
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : renderReport(report));
  return report.violations.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Refusal || error instanceof Unreachable)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
