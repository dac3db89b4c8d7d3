import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { endProcess } from '#platform/end-process.ts';
import { createLog } from '#platform/log.ts';
import { runAdmin } from './admin/admin.ts';

/** Log lines go to stderr, because a script may read the answer on stdout. */
export async function run(args: readonly string[]): Promise<void> {
  const config = loadConfig();
  const log = createLog(config.LOG_LEVEL === 'debug' ? 'debug' : 'warn', {
    write: (line) => void process.stderr.write(line),
  });
  // The reader closed the pipe (`| head`), which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') endProcess(0);
    throw error;
  });
  process.exitCode = await runAdmin(args, {
    config,
    log,
    clock: systemClock(config.CLOCK_OFFSET_MS),
    out: (line) => void process.stdout.write(`${line}\n`),
    json: (document) => void process.stdout.write(`${JSON.stringify(document, null, 2)}\n`),
  });
}
