import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    webDir: string;
  }
}

const ROOT = join(import.meta.dirname, '../..');

/** Builds for production, or for development, where React mounts every component twice. */
export async function buildDashboard(
  outDir: string,
  mode: 'production' | 'development' = 'production',
  plugins: readonly Plugin[] = [],
): Promise<void> {
  const before = process.env.NODE_ENV;
  // The mode of the test runner would make it a development build, which is not shipped.
  process.env.NODE_ENV = mode;
  await build({
    root: ROOT,
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
    plugins: [...plugins],
    build: { outDir, emptyOutDir: true },
  });
  process.env.NODE_ENV = before;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outDir = await mkdtemp(join(tmpdir(), 'assay-web-'));
  await buildDashboard(outDir);
  project.provide('webDir', outDir);
  return () => rm(outDir, { recursive: true, force: true });
}
