import { lettersWorkerPart } from '#capabilities/letters/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createWorker } from '#platform/jobs.ts';
import { createLog } from '#platform/log.ts';
import { createMailer } from '#platform/mail.ts';

/** A worker that sends letters, for a test to kill. Its lease is short, so that its jobs are taken over soon. */
const config = loadConfig(process.env);
const clock = systemClock();
createWorker({
  config,
  clock,
  log: createLog('silent'),
  jobs: lettersWorkerPart({ clock, config, mailer: createMailer(config) }).jobs,
  crons: [],
  concurrency: 4,
  pollMs: 100,
  onLeaseLost: () => process.exit(75),
  timing: { heartbeatMs: 500, leaseMs: 3_000 },
});
process.stdout.write('ready\n');
