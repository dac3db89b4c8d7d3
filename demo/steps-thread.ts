import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { startSteps } from '../start/steps.ts';
import type { StepMessage } from './threaded-steps.ts';

/** Writes the progress of the demonstration from a thread, so that a busy main thread is not silent. */
const { isTTY, startedAtMs } = workerData as { readonly isTTY: boolean; readonly startedAtMs: number };
const steps = startSteps({ isTTY, write }, Date.now, startedAtMs);

parentPort?.on('message', (message: StepMessage) => {
  if (message.kind === 'doing') steps.doing(message.line);
  else if (message.kind === 'say') steps.say(message.line);
  else parentPort?.close();
});

function write(text: string): void {
  try {
    writeSync(1, text);
  } catch (error) {
    // A reader of the pipe that is slow loses a line of progress; one that has gone away ends nothing.
    if (!['EAGAIN', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
