import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../../server/src/platform/migrate.ts';
import { databaseUrl, dropDatabase } from '../../../server/test/support/database.ts';
import { startSampleServices } from './sample-services.ts';
import { type ServiceAddress, startWebService } from './web-service.ts';

/** Services that the test files share; a file about restarts, limits or failed engines starts its own. */
type SharedServices = {
  /** A service that has only the lists that a test file loads, and that asks no provider. */
  readonly plain: ServiceAddress;
  readonly sample: ServiceAddress;
  readonly failing: ServiceAddress;
};

declare module 'vitest' {
  interface ProvidedContext {
    sharedServices: SharedServices;
  }
}

/** Runs once for all browser tests, after the dashboard was built: a service and its data cost about 15 s of CPU. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { webDir } = project.getProvidedContext();
  const name = `assay_plain_${randomBytes(6).toString('hex')}`;
  const ends: (() => Promise<unknown>)[] = [() => dropDatabase(name)];
  const stop = async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    await migrate(databaseUrl(name));
    const plain = await startWebService({ databaseUrl: databaseUrl(name), webDir });
    ends.push(plain.stop);
    const sample = await startSampleServices(webDir);
    ends.push(sample.stop);
    const addressOf = ({ url, env, pagePort }: ServiceAddress): ServiceAddress => ({ url, env, pagePort });
    project.provide('sharedServices', {
      plain: addressOf(plain),
      sample: addressOf(sample.answering),
      failing: addressOf(sample.failing),
    });
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
