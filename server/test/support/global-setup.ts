import type { TestProject } from 'vitest/node';
import { createTemplate, dropDatabase } from './database.ts';
import { REDIS_URL } from './redis.ts';
import { runOn } from './redis-server.ts';

/** Runs once for the projects that use engines: builds the template and leaves nothing behind. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const template = await createTemplate();
  project.provide('templateDatabase', template);
  return async () => {
    await dropDatabase(template);
    await forgetLibraries();
  };
}

/** A process that still needs a library loads it again on its next call. */
async function forgetLibraries(): Promise<void> {
  const listed = (await runOn(REDIS_URL, ['FUNCTION', 'LIST', 'LIBRARYNAME', 'assay_meter_*'])) as string[][];
  for (const [, name = ''] of listed) await runOn(REDIS_URL, ['FUNCTION', 'DELETE', name]);
}
