import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ServiceError } from '#platform/errors.ts';
import type { TestMeterOptions } from './meter.ts';

export type ProcessPlan = Omit<TestMeterOptions, 'clock' | 'ownsClock'> & {
  readonly accountId: string;
  readonly requests: number;
  readonly inFlight: number;
  readonly refusedMax?: number;
  readonly units: readonly number[];
  readonly monthLimit: number;
  readonly burstLimit: number;
  readonly pauseMs: number;
  readonly settleMs: number;
};

export type ProcessReport = {
  granted: number;
  units: number;
  refused: number;
  unavailable: number;
  local: number;
  slowestMs: number;
};

export const isMeterUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'Service unavailable';

export type MeterProcesses = {
  readonly reports: Promise<readonly ProcessReport[]>;
};

/**
 * Starts `count` processes, waits until all are ready, and starts their work at once. A crash of one is a
 * failure.
 */
export async function startMeterProcesses(count: number, plan: ProcessPlan): Promise<MeterProcesses> {
  const children = Array.from({ length: count }, () =>
    fork(join(import.meta.dirname, 'meter-process.ts'), [JSON.stringify(plan)]),
  );
  try {
    await Promise.all(children.map((child) => messageOf(child)));
  } catch (error) {
    for (const child of children) child.kill('SIGKILL');
    throw error;
  }
  const reports = Promise.all(children.map((child) => messageOf(child) as Promise<ProcessReport>));
  for (const child of children) child.send('go');
  return {
    reports: reports.finally(() => {
      for (const child of children) child.kill('SIGKILL');
    }),
  };
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const crashed = once(child, 'exit').then(([code]) => {
    throw new Error(`a meter process ended with ${code}`);
  });
  crashed.catch(() => undefined);
  const [message] = (await Promise.race([once(child, 'message'), crashed])) as unknown[];
  return message;
}

export const sumOf = (reports: readonly ProcessReport[], field: keyof ProcessReport): number =>
  reports.reduce((sum, report) => sum + report[field], 0);
