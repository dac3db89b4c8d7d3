import type { TestProject } from 'vitest/node';
import { COMPILE_CACHE } from './compile-cache.ts';
import { createTemplate, dropDatabase } from './database.ts';
import { REDIS_URL } from './redis.ts';
import { runOn } from './redis-server.ts';
import { offerSharedService } from './shared-service-host.ts';
import { bundleForTests } from './test-bundle.ts';

/** Runs once for the projects that use engines: builds the template database, and removes it at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Test workers and the processes that they start inherit these variables.
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
  process.env.ASSAY_TEST_MAIN ??= await bundleForTests();
  const template = await createTemplate();
  project.provide('templateDatabase', template);
  const shared = await offerSharedService(template);
  project.provide('sharedServiceHost', shared.url);
  return async () => {
    await shared.close();
    await dropDatabase(template);
    await forgetLibraries();
  };
}

/** Removes the Redis function libraries; a process that still needs one loads it again on its next call. */
async function forgetLibraries(): Promise<void> {
  const listed = (await runOn(REDIS_URL, ['FUNCTION', 'LIST', 'LIBRARYNAME', 'assay_meter_*'])) as string[][];
  for (const [, name = ''] of listed) await runOn(REDIS_URL, ['FUNCTION', 'DELETE', name]);
}
