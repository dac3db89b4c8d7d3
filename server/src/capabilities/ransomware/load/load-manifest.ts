import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { badRequest } from '#platform/errors.ts';
import { sha256Of } from '#platform/sha256.ts';
import { RANSOMWARE_SOURCES, type RansomwareSource } from '../sources.ts';
import { type LoadDeps, loadFile, type LoadOptions, type LoadReport } from './load-file.ts';

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

export type ManifestOptions = LoadOptions & { readonly onSource?: (source: RansomwareSource) => void };

/** Loads the ransomware files of an offline data set. A file that is missing or refused does not stop the others. */
export async function loadManifest(
  deps: LoadDeps,
  folder: string,
  options: ManifestOptions = {},
): Promise<readonly LoadReport[]> {
  const rows = await readManifest(folder);
  const reports: LoadReport[] = [];
  for (const source of RANSOMWARE_SOURCES) {
    const row = rows.find(({ id }) => id === source.manifestId);
    if (row === undefined) continue;
    options.onSource?.(source);
    reports.push(await loadRow(deps, folder, { source, row, options }));
  }
  return reports;
}

async function loadRow(
  deps: LoadDeps,
  folder: string,
  { source, row, options }: { readonly source: RansomwareSource; readonly row: Row; readonly options: LoadOptions },
): Promise<LoadReport> {
  const dataAtMs = Math.min(Date.parse(row.date), deps.clock.now());
  const refused = (reason: string): LoadReport => ({
    source: source.id,
    outcome: 'refused',
    dataAt: new Date(dataAtMs).toISOString(),
    rows: 0,
    refused: {},
    newClaims: 0,
    resumedAt: 0,
    reason,
  });
  const bytes = await readFile(join(folder, row.path)).catch(() => null);
  if (bytes === null) return refused(`${row.path} is in the manifest but missing.`);
  if (sha256Of(bytes) !== row.sha256.toLowerCase())
    return refused(`${row.path} is not the file of the manifest: its SHA-256 differs.`);
  return loadFile(deps, source, { label: row.path, bytes, dataAtMs }, options);
}

async function readManifest(folder: string): Promise<readonly Row[]> {
  const path = join(folder, 'MANIFEST.json');
  const text = await readFile(path, 'utf8').catch((error: { readonly code?: unknown }) => {
    throw badRequest(`'${path}' cannot be read (${String(error.code)}). Name the folder that holds MANIFEST.json.`);
  });
  let records: unknown;
  try {
    records = JSON.parse(text);
  } catch {
    throw badRequest(`${path} is not JSON.`);
  }
  const wanted = new Set(RANSOMWARE_SOURCES.map(({ manifestId }) => manifestId));
  const isWanted = (record: unknown) => wanted.has(String((record as { id?: unknown } | null)?.id));
  const parsed = z.array(Row).safeParse(Array.isArray(records) ? records.filter(isWanted) : null);
  if (!parsed.success) throw badRequest(`${path} cannot be used: ${parsed.error.issues[0]?.message}.`);
  return parsed.data;
}
