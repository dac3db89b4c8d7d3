import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type FilesOutcome, type LoadDeps, loadFiles } from '#capabilities/datasets/index.ts';
import { badRequest } from '#platform/errors.ts';
import { sha256OfFile } from '#platform/sha256.ts';
import { RANSOMWARE_DATASETS, type RansomwareDataset } from '../definitions.ts';

const Row = z.object({
  id: z.string().max(512),
  path: z
    .string()
    .max(1_024)
    .refine(
      (path) => !path.startsWith('/') && !path.split(/[/\\]/).includes('..'),
      'expected a path inside the data set',
    ),
  sha256: z.string().regex(/^[0-9a-f]{64}$/i),
  date: z.iso.date(),
});
type Row = z.infer<typeof Row>;

export type ManifestOptions = {
  /** Loads content that a gate refuses, where an operator may overrule it. */
  readonly accept?: boolean;
  readonly onProgress?: (definition: RansomwareDataset, records: number) => void;
};

/** Loads the ransomware files of an offline data set. A file that is missing or refused does not stop the others. */
export async function loadManifest(
  deps: LoadDeps,
  folder: string,
  options: ManifestOptions = {},
): Promise<readonly FilesOutcome[]> {
  const rows = await readManifest(folder);
  const outcomes: FilesOutcome[] = [];
  for (const definition of RANSOMWARE_DATASETS) {
    const row = rows.find(({ id }) => id === definition.manifestId);
    if (row !== undefined) outcomes.push(await loadRow(deps, definition, { folder, row, options }));
  }
  return outcomes;
}

async function loadRow(
  deps: LoadDeps,
  definition: RansomwareDataset,
  given: { readonly folder: string; readonly row: Row; readonly options: ManifestOptions },
): Promise<FilesOutcome> {
  const { row, options } = given;
  const path = join(given.folder, row.path);
  const refused = (reason: string): FilesOutcome => ({
    id: definition.id,
    status: 'quarantined',
    reason,
    report: null,
  });
  const found = await sha256OfFile(path).catch(() => null);
  if (found === null) return refused(`${row.path} is in the manifest but missing.`);
  if (found.sha256 !== row.sha256.toLowerCase())
    return refused(`${row.path} is not the file of the manifest: its SHA-256 differs.`);
  return loadFiles(deps, definition, {
    paths: [path],
    dataAtMs: Math.min(Date.parse(row.date), deps.clock.now()),
    accept: options.accept === true,
    onProgress: (records) => options.onProgress?.(definition, records),
  });
}

async function readManifest(folder: string): Promise<readonly Row[]> {
  const path = join(folder, 'MANIFEST.json');
  const text = await readFile(path, 'utf8').catch((error: { readonly code?: unknown }) => {
    throw badRequest(
      `'${path}' cannot be read (${String(error.code)}). Name the folder that holds MANIFEST.json.`,
    );
  });
  let records: unknown;
  try {
    records = JSON.parse(text);
  } catch {
    throw badRequest(`${path} is not JSON.`);
  }
  const wanted = new Set(RANSOMWARE_DATASETS.map(({ manifestId }) => manifestId));
  const isWanted = (record: unknown) => wanted.has(String((record as { id?: unknown } | null)?.id));
  const parsed = z.array(Row).safeParse(Array.isArray(records) ? records.filter(isWanted) : null);
  if (!parsed.success) throw badRequest(`${path} cannot be used: ${parsed.error.issues[0]?.message}.`);
  return parsed.data;
}
