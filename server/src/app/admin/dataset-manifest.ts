import { Command, Option } from 'commander';
import {
  type ImportDatasetsGiven,
  type ImportDatasetsReport,
  importDatasets,
  type LoadDeps,
} from '#capabilities/datasets/index.ts';
import { AdminError } from './context.ts';
import { answer, type FeedsShell, JSON_OPTION, type Json } from './feeds-shell.ts';
import { showProgress } from './progress.ts';
import { count, renderTable } from './table.ts';

type ManifestFlags = Json & {
  readonly reread?: boolean;
  readonly accept?: readonly string[];
};

export type DatasetFolder = Pick<ImportDatasetsGiven, 'folders' | 'files' | 'definitions'>;

const NOT_MOVED = 'No date was moved: --rebase of `feeds import-manifest` moves the dates of listings only.';
const STOPPED = 'Stopped. Run the same command again and it goes on where it was.';

/** The command `import-manifest` for data sets that are no sources of listings, such as the CVE catalogue. */
export const datasetManifestCommand = (
  shell: FeedsShell,
  { example, ...given }: DatasetFolder & { readonly example: string },
): Command =>
  new Command('import-manifest')
    .argument('<folder>', 'folder with MANIFEST.json and the files it names')
    .description('Import the files of an offline data set that belong here.')
    // Earlier releases moved these dates too. Scripts that still give the option go on, and are told.
    .addOption(new Option('--rebase').hideHelp())
    .option('--reread', 'read and compare also what was imported before with the same content')
    .option('--accept <ids...>', 'data sets to take although a gate that may be overruled refuses them')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nStopped half-way, the same command goes on where it was.\n\nExample:\n  ${example}`,
    )
    .action((folder: string, { rebase, ...options }: ManifestFlags & { readonly rebase?: boolean }) =>
      shell.on(async (deps) => {
        const report = await importDatasetFolder(deps, { ...given, folder, ...options });
        const notes = rebase === true ? [NOT_MOVED] : [];
        answer(shell, options, { ...datasetDocument(report), notes }, () => [
          ...datasetLines(report),
          ...notes,
        ]);
        const refused = report.datasets.filter(({ status }) => status === 'refused');
        if (refused.length > 0)
          throw new AdminError(
            `${refused.length} data sets were refused because their files are not those of the manifest; everything else is done.`,
          );
      }),
    );

/** Imports a folder with progress on stderr; SIGINT stops it, and the next run goes on from there. */
export async function importDatasetFolder(
  deps: LoadDeps,
  given: DatasetFolder & ManifestFlags & { readonly folder: string },
): Promise<ImportDatasetsReport> {
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new AdminError(STOPPED));
  process.once('SIGINT', onInterrupt);
  const progress = showProgress(deps);
  try {
    return await importDatasets(deps, {
      folder: given.folder,
      folders: given.folders,
      files: given.files,
      definitions: given.definitions,
      reread: given.reread === true,
      accept: given.accept ?? [],
      signal: stop.signal,
      onProgress: (state) => progress.update(state),
    });
  } finally {
    progress.stop();
    process.off('SIGINT', onInterrupt);
  }
}

export const datasetDocument = ({ datasets, notImported }: ImportDatasetsReport) => ({
  datasets: datasets.map(({ id, status, reason, dataAtMs, files, report }) => ({
    id,
    status,
    reason,
    dataAt: new Date(dataAtMs).toISOString(),
    files,
    records: report?.entries ?? null,
    added: report?.delta.added ?? null,
    changed: report?.delta.changed ?? null,
    removed: report?.delta.removed ?? null,
    reasons: report?.counts.reasons ?? [],
  })),
  notImported,
});

export function datasetLines({ datasets, notImported }: ImportDatasetsReport): readonly string[] {
  return [
    ...renderTable(
      [
        { title: 'data set' },
        { title: 'status' },
        { title: 'records', align: 'right' },
        { title: 'added', align: 'right' },
        { title: 'changed', align: 'right' },
        { title: 'removed', align: 'right' },
        { title: 'reason', widthMax: 80 },
      ],
      datasets.map(({ id, status, reason, report }) => [
        id,
        status,
        ...(report === null
          ? ['-', '-', '-', '-']
          : [report.entries, report.delta.added, report.delta.changed, report.delta.removed].map(count)),
        reason ?? '',
      ]),
    ),
    ...(notImported.length === 0 ? [] : [`${notImported.length} files were left out.`]),
  ];
}
