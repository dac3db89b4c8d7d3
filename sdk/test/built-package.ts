import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSdk } from '../build/build-sdk.ts';

export type BuiltPackage = {
  /** A consumer's project in which `@assay/sdk` is installed as published. */
  readonly project: string;
  readonly installed: string;
  readonly remove: () => void;
};

export async function installBuilt(): Promise<BuiltPackage> {
  const project = mkdtempSync(join(tmpdir(), 'assay-sdk-'));
  const installed = join(project, 'node_modules/@assay/sdk');
  mkdirSync(installed, { recursive: true });
  await buildSdk(installed);
  return { project, installed, remove: () => rmSync(project, { recursive: true, force: true }) };
}
