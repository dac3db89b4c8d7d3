import { z } from 'zod';
import { type Cron, enqueue, type Job, type JobContext, job } from '#platform/jobs.ts';
import type { Db } from '#platform/postgres.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { ATTEMPTS_MAX, type PublicationName, patternOf } from './schedule.ts';

/** A build of one publication, as the queue runs it. */
export type BuildJob = {
  /** The name of the job in the queue. */
  readonly name: string;
  readonly publication: PublicationName;
  /** Rejects where the build failed: then it is tried again with growing pauses. */
  readonly run: (context: JobContext, signal: AbortSignal) => Promise<void>;
  readonly deadlineMs?: number | undefined;
};

/** A build reads millions of rows, and a busy machine takes many times as long as a quiet one. */
const DEADLINE_MS = HOUR_MS;
/** Left for recording a failure: a job that is over its own timeout can write nothing. */
const RECORDING_MS = 60_000;

/** The job that builds a publication on its schedule. One build of each publication runs or waits at a time. */
export function buildJob({ name, publication, run, deadlineMs = DEADLINE_MS }: BuildJob): {
  readonly job: Job;
  readonly cron: Cron;
} {
  return {
    job: job({
      name,
      schema: z.object({}),
      timeoutMs: deadlineMs + RECORDING_MS,
      run: (context) => run(context, AbortSignal.any([context.signal, AbortSignal.timeout(deadlineMs)])),
    }),
    cron: { job: name, pattern: patternOf(publication), ...optionsOf(name) },
  };
}

const optionsOf = (name: string) => ({ key: name, queue: name, maxAttempts: ATTEMPTS_MAX });

/** Adds a build that runs now, beside those of the schedule. */
export const enqueueBuild = (tx: Db, name: string): Promise<unknown> =>
  enqueue(tx, name, {}, optionsOf(name));
