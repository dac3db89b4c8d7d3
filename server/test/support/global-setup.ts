import type { TestProject } from 'vitest/node';
import { createTemplate, dropDatabase } from './database.ts';

/** Runs once for the projects that use engines: builds the template and removes it again. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const template = await createTemplate();
  project.provide('templateDatabase', template);
  return async () => {
    await dropDatabase(template);
  };
}
