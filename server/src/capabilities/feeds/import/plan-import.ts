import type { CatalogueRow, OfflineFile } from '#capabilities/catalogue/index.ts';
import type { ManifestFile } from '#capabilities/datasets/index.ts';
import type { FormatSpec } from '#capabilities/lists/index.ts';

export type PlannedFile = ManifestFile & { readonly format: FormatSpec; readonly family?: string };

export type PlannedSource = {
  readonly row: CatalogueRow;
  /** Parts of one snapshot, in the catalogue's order. */
  readonly files: readonly PlannedFile[];
  /** The newest day of its parts, which dates the entries of a list without dates (scoring ruling 1). */
  readonly dataAtMs: number;
  readonly bytes: number;
  readonly rows: number;
};

export type NotImported = { readonly path: string; readonly why: string };

export type ImportPlan = {
  readonly sources: readonly PlannedSource[];
  readonly variants: readonly NotImported[];
  readonly leftOut: readonly NotImported[];
  /** In the manifest, but not in the catalogue. */
  readonly unknown: readonly NotImported[];
  /** Parts that the catalogue has and this data set does not. */
  readonly absent: readonly NotImported[];
};

const VARIANT = 'The same list in another form.';
const LEFT_OUT = 'Left out by the catalogue.';
const UNKNOWN = 'This file is not in the catalogue.';
const ABSENT = 'In the catalogue, but not in the manifest.';

/** Assigns the files of the data set to sources. Every file of the manifest appears in at least one of the results. */
export function planImport(
  manifest: readonly ManifestFile[],
  offlineFiles: readonly OfflineFile[],
  rows: readonly CatalogueRow[],
): ImportPlan {
  const known = new Map(rows.map((row) => [row.id, row]));
  const inManifest = new Map(manifest.map((file) => [file.path, file]));
  const named = new Set(offlineFiles.map(({ path }) => path));
  const parts = new Map<string, PlannedFile[]>();
  const variants: NotImported[] = [];
  const leftOut: NotImported[] = [];
  const unknown: NotImported[] = [];
  const absent: NotImported[] = [];
  for (const offline of offlineFiles) {
    const { path, note } = offline;
    const file = inManifest.get(path);
    if (file === undefined) {
      if (offline.role === 'part') absent.push({ path, why: ABSENT });
    } else if (offline.role === 'variant') variants.push({ path, why: note ?? VARIANT });
    else if (offline.role === 'left-out' || offline.source === null)
      leftOut.push({ path, why: note ?? LEFT_OUT });
    else {
      const row = known.get(offline.source);
      if (row === undefined) unknown.push({ path, why: `The catalogue has no source '${offline.source}'.` });
      else parts.set(row.id, [...(parts.get(row.id) ?? []), asPart(file, offline, row)]);
    }
  }
  for (const { path } of manifest) if (!named.has(path)) unknown.push({ path, why: UNKNOWN });
  const sources = rows.flatMap((row) => {
    const files = parts.get(row.id);
    return files === undefined ? [] : [plannedSource(row, files)];
  });
  return { sources, variants, leftOut, unknown, absent };
}

const asPart = (file: ManifestFile, offline: OfflineFile, row: CatalogueRow): PlannedFile => ({
  ...file,
  format: offline.format ?? row.format,
  ...(offline.family === undefined ? {} : { family: offline.family }),
});

const plannedSource = (row: CatalogueRow, files: readonly PlannedFile[]): PlannedSource => ({
  row,
  files,
  dataAtMs: files.reduce((newest, { dateMs }) => Math.max(newest, dateMs), 0),
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  rows: files.reduce((sum, { entries }) => sum + entries, 0),
});
