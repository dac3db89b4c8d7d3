import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CVE_DATASETS } from '#capabilities/cve/index.ts';
import { type FilesOutcome, loadFiles } from '#capabilities/datasets/index.ts';
import type { Clock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';

/** Loads any number of documents of a source as an operator does: read, judged, written and merged. */
export async function loadCves(
  { system, clock }: { readonly system: Postgres; readonly clock: Clock },
  source: string,
  documents: readonly string[],
): Promise<FilesOutcome> {
  const definition = CVE_DATASETS.find(({ id }) => id === source);
  if (definition === undefined) throw new Error(`There is no source '${source}'.`);
  const folder = mkdtempSync(join(tmpdir(), 'assay-load-cves-'));
  try {
    const paths = documents.map((text, at) => {
      const path = join(folder, `${source}-${at}.json`);
      writeFileSync(path, text);
      return path;
    });
    const deps = { system, clock, log: createLog('silent'), dataDir: folder };
    const anySize = { ...definition, volume: { min: 0, max: 1_000_000 } };
    return await loadFiles(deps, anySize, { paths, dataAtMs: clock.now(), accept: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
