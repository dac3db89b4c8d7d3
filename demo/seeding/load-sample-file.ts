import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DatasetDefinition, loadFiles } from '../../server/src/capabilities/datasets/index.ts';
import { DemoError } from '../cli-options.ts';
import { clockAt, type Seeding } from './seeding.ts';

/** Calls `work` with the path of a temporary file that has this text, in the data folder, which a stop removes. */
export async function withFile<T>(
  { config }: Pick<Seeding, 'config'>,
  text: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(config.DATA_DIR, 'sample-'));
  try {
    const path = join(folder, 'sample');
    await writeFile(path, text, { mode: 0o600 });
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Loads a text as a file of this data set, as `admin cve load` and `admin ransomware load` do, with the clock at `atMs`.
 * Data sets are known to be large; the sample is small on purpose.
 */
export async function loadSampleFile(
  seeding: Seeding,
  definition: DatasetDefinition,
  { text, atMs }: { readonly text: string; readonly atMs: number },
): Promise<void> {
  const { system, log, config, signal } = seeding;
  const deps = { system, log, dataDir: config.DATA_DIR, clock: clockAt(atMs) };
  const sample = {
    ...definition,
    name: `Sample: ${definition.name}`,
    publisher: 'Assay sample data (invented)',
    volume: { min: 0, max: definition.volume.max },
  };
  const { status, reason } = await withFile(seeding, text, (path) =>
    loadFiles(deps, sample, { paths: [path], dataAtMs: atMs, accept: true, signal }),
  );
  if (status === 'quarantined')
    throw new DemoError(`The sample of '${definition.id}' was not loaded: ${reason ?? status}`);
}
