import { badRequest } from '#platform/errors.ts';
import type { DatasetDefinition, LoadDeps } from '../definitions/definition.ts';
import { type FilesOutcome, loadFiles } from '../definitions/run-definition.ts';
import { type ManifestFile, parseManifest, readManifest } from './manifest.ts';
import { verifiedFiles } from './verified-files.ts';

/** A file of an offline data set, or with a slash at its end a folder of files, and the data set it belongs to; null: not imported on purpose. */
export type DatasetFile = {
  readonly path: string;
  readonly dataset: string | null;
  readonly note?: string;
};

export type ImportDatasetsGiven = {
  readonly folder: string;
  /** Folders of the manifest that are read here, such as `cve/`. */
  readonly folders: readonly string[];
  readonly files: readonly DatasetFile[];
  readonly definitions: readonly DatasetDefinition[];
  readonly reread?: boolean;
  readonly accept?: readonly string[];
  readonly onProgress?: (progress: {
    readonly label: string;
    readonly rows: number;
    readonly bytesDone: number;
    readonly bytesTotal: number;
  }) => void;
  readonly signal?: AbortSignal;
};

export type FileOutcome = Omit<FilesOutcome, 'status'> & {
  /** `refused`: a file is missing or does not match the manifest. */
  readonly status: FilesOutcome['status'] | 'refused';
  readonly dataAtMs: number;
  readonly files: number;
};
export type ImportDatasetsReport = {
  readonly datasets: readonly FileOutcome[];
  readonly notImported: readonly { readonly path: string; readonly why: string }[];
};

const UNKNOWN = 'No data set is known for this file.';
const LEFT_OUT = 'Left out on purpose.';
/** A part of a publisher's data is smaller than its whole, so the bands of downloads do not apply to it. */
const ANY_VOLUME = { min: 1, max: Number.POSITIVE_INFINITY };

/** Imports the files of an offline data set, one data set after another; one that fails is reported, the others go on. */
export async function importDatasets(
  deps: LoadDeps,
  given: ImportDatasetsGiven,
): Promise<ImportDatasetsReport> {
  const manifest = parseManifest(await readManifest(given.folder), given.folders);
  const known = new Map(given.files.map((file) => [file.path, file]));
  const planned = given.definitions.flatMap((definition) => {
    const files = manifest.filter(({ path }) => known.get(path)?.dataset === definition.id);
    return files.length === 0 ? [] : [{ definition, files }];
  });
  if (planned.length === 0)
    throw badRequest(
      `No file of the manifest in '${given.folder}' belongs to a known data set. Nothing was imported.`,
    );
  const bytesTotal = planned.reduce((sum, { files }) => sum + bytesOf(files), 0);
  const datasets: FileOutcome[] = [];
  let bytesDone = 0;
  for (const { definition, files } of planned) {
    given.signal?.throwIfAborted();
    const report = (rows: number) =>
      given.onProgress?.({ label: definition.id, rows, bytesDone, bytesTotal });
    report(0);
    datasets.push(await importOne(deps, given, { definition, files, report }));
    bytesDone += bytesOf(files);
  }
  await finishAll(deps, given, bytesTotal);
  const notImported = manifest.flatMap(({ path }) => {
    const file = known.get(path);
    if (file === undefined) return [{ path, why: UNKNOWN }];
    return file.dataset === null ? [{ path, why: file.note ?? LEFT_OUT }] : [];
  });
  return { datasets, notImported };
}

/** Runs after all files, so that a record that several files contribute to is built once. */
async function finishAll(deps: LoadDeps, given: ImportDatasetsGiven, bytesTotal: number): Promise<void> {
  const finishes = new Set(given.definitions.flatMap(({ finish }) => finish ?? []));
  for (const finish of finishes)
    await finish(deps, {
      onProgress: (rows) => given.onProgress?.({ label: 'records', rows, bytesDone: bytesTotal, bytesTotal }),
      ...(given.signal === undefined ? {} : { signal: given.signal }),
    });
}

const bytesOf = (files: readonly ManifestFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

type Planned = {
  readonly definition: DatasetDefinition;
  readonly files: readonly ManifestFile[];
  readonly report: (rows: number) => void;
};

async function importOne(
  deps: LoadDeps,
  given: ImportDatasetsGiven,
  { definition, files, report }: Planned,
): Promise<FileOutcome> {
  const dataAtMs = files.reduce((newest, { dateMs }) => Math.max(newest, dateMs), 0);
  const paths: string[] = [];
  for (const file of files) {
    const verified = await verifiedFiles(given.folder, file);
    if (verified.ok) {
      for (const path of verified.paths) paths.push(path);
      continue;
    }
    const problem = verified.problem === 'unreadable' ? 'cannot be read' : 'is not the file of the manifest';
    const about = { dataAtMs, files: files.length };
    return {
      id: definition.id,
      status: 'refused',
      reason: `'${file.path}' ${problem}.`,
      report: null,
      ...about,
    };
  }
  const outcome = await loadFiles(
    deps,
    { ...definition, volume: ANY_VOLUME },
    {
      paths,
      dataAtMs,
      accept: given.accept?.includes(definition.id) === true,
      reread: given.reread === true,
      isFollowed: true,
      onProgress: report,
      ...(given.signal === undefined ? {} : { signal: given.signal }),
    },
  );
  return { ...outcome, dataAtMs, files: paths.length };
}
