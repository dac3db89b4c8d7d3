import { createHash, randomBytes } from 'node:crypto';
import { existsSync, globSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type BundledFile, ENTRY, makeBundle, writeBundle } from '../../build/bundle-server.ts';

const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/assay-server');
const KEPT_MS = 86_400_000;

/**
 * The entry of a bundle of the sources as they are, for the processes that tests start. A bundle is named by its content, so
 * that runs beside each other and later runs of the same sources share it and its compiled modules.
 */
export async function bundleForTests(): Promise<string> {
  const files = await makeBundle(join(FOLDER, 'any'));
  const outDir = join(FOLDER, nameOf(files));
  if (!existsSync(outDir)) putBundle(outDir, files);
  utimesSync(outDir, new Date(), new Date());
  removeUnused();
  return join(outDir, ENTRY);
}

function nameOf(files: readonly BundledFile[]): string {
  const hash = createHash('sha256');
  for (const { fileName, code } of files) hash.update(`${fileName}\n${code}\n`);
  return hash.digest('hex').slice(0, 16);
}

/** Another run may put the same bundle there meanwhile. */
function putBundle(outDir: string, files: readonly BundledFile[]): void {
  const draft = `${outDir}.${randomBytes(4).toString('hex')}`;
  writeBundle(draft, files);
  try {
    renameSync(draft, outDir);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(outDir)) throw error;
  }
}

function removeUnused(): void {
  for (const name of globSync('*', { cwd: FOLDER })) {
    const path = join(FOLDER, name);
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}
