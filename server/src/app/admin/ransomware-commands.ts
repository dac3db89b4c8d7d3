import { stat } from 'node:fs/promises';
import { Command } from 'commander';
import { type FilesOutcome, type LoadDeps, loadFiles } from '#capabilities/datasets/index.ts';
import {
  confirm,
  describeSources,
  findDefinition,
  listMerges,
  type MergedClaim,
  RANSOMWARE_DATASETS,
  RANSOMWARE_FILES,
  RANSOMWARE_FOLDERS,
  type SourceStatus,
} from '#capabilities/ransomware/index.ts';
import { type Json, onSystem, print } from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';
import { datasetManifestCommand } from './dataset-manifest.ts';
import { feedsShell } from './feeds-commands.ts';
import { type Progress, showProgress } from './progress.ts';
import { count, renderTable } from './table.ts';

type LoadFlags = Json & { readonly date?: string; readonly accept?: boolean };
type ConfirmFlags = Json & { readonly reference?: string; readonly withdraw?: boolean };

export function ransomwareCommands(context: AdminContext): Command {
  const ransomware = new Command('ransomware').description('Claims of ransomware groups, groups and press.');
  ransomware.addCommand(
    datasetManifestCommand(feedsShell(context), {
      folders: RANSOMWARE_FOLDERS,
      files: RANSOMWARE_FILES,
      definitions: RANSOMWARE_DATASETS,
      example: 'npm run admin -- ransomware import-manifest ../data',
    }),
  );
  ransomware
    .command('load')
    .argument('<source>', RANSOMWARE_DATASETS.map(({ id }) => id).join(', '))
    .argument(
      '<files...>',
      'files of this source, plain or gzip; an interrupted load goes on with the same file',
    )
    .description('Load files of one source. The same file again writes nothing.')
    .option('--date <YYYY-MM-DD>', 'date of the data; without it the date of the file')
    .option('--accept', 'load content that a gate refuses, where you may overrule it')
    .option('--json', 'print one JSON document')
    .action((source: string, files: string[], flags: LoadFlags) => load(context, source, files, flags));
  ransomware
    .command('status')
    .description('What is loaded, how old it is, and what is wrong with it.')
    .option('--json', 'print one JSON document')
    .action((flags: Json) => status(context, flags));
  ransomware
    .command('merges')
    .description('Claims that are made of several posts, with these posts.')
    .option('--json', 'print one JSON document')
    .action((flags: Json) => merges(context, flags));
  ransomware
    .command('confirm')
    .argument('<claim>', 'id of the claim, rcl_…')
    .description('Say that a claim is confirmed, with a public page that shows it.')
    .option('--reference <url>', 'the page: https only, never a leak site')
    .option('--withdraw', 'take a confirmation back')
    .option('--json', 'print one JSON document')
    .action((claim: string, flags: ConfirmFlags) => confirmOne(context, claim, flags));
  return ransomware;
}

const onLoad = <T>(
  context: AdminContext,
  work: (deps: LoadDeps, progress: Progress) => Promise<T>,
): Promise<T> =>
  onSystem(context, async ({ postgres, clock }) => {
    const progress = showProgress(context);
    const deps = { system: postgres, clock, log: context.log, dataDir: context.config.DATA_DIR };
    return work(deps, progress).finally(progress.stop);
  });

async function load(
  context: AdminContext,
  id: string,
  files: readonly string[],
  flags: LoadFlags,
): Promise<void> {
  const definition = findDefinition(id);
  if (definition === undefined)
    throw new AdminError(
      `'${id}' is no source; use one of ${RANSOMWARE_DATASETS.map((each) => each.id).join(', ')}.`,
    );
  const outcomes = await onLoad(context, async (deps, progress) => {
    const done: FilesOutcome[] = [];
    for (const path of files)
      done.push(
        await loadFiles(deps, definition, {
          paths: [path],
          dataAtMs: flags.date === undefined ? await modifiedMs(path) : dateMs(flags.date),
          accept: flags.accept === true,
          onProgress: (rows) => progress.update({ rows, label: path }),
        }),
      );
    return done;
  });
  tell(context, flags, outcomes);
}

async function modifiedMs(path: string): Promise<number> {
  const found = await stat(path).catch((error: { readonly code?: unknown }) => {
    throw new AdminError(`'${path}' cannot be read (${String(error.code)}).`);
  });
  return found.mtimeMs;
}

function dateMs(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw new AdminError(`'${text}' is not a date; write it as in 2026-05-07.`);
  return ms;
}

function tell(context: AdminContext, flags: Json, outcomes: readonly FilesOutcome[]): void {
  print(context, flags, { sources: outcomes }, outcomes.map(outcomeLine));
  const refused = outcomes.filter((outcome) => outcome.status === 'quarantined').length;
  if (refused > 0)
    throw new AdminError(`${refused} of ${outcomes.length} files were refused; everything else is done.`);
}

/** One line about a file; for files of posts `added` counts the new claims. */
const outcomeLine = ({ id, status: outcome, reason, report }: FilesOutcome): string =>
  report === null
    ? `${id}: ${outcome}. ${reason}`
    : `${id}: ${count(report.counts.accepted)} rows read, ${count(report.delta.added)} new, ${count(report.entries)} in use.`;

const status = (context: AdminContext, flags: Json): Promise<void> =>
  onSystem(context, async ({ postgres, clock }) => {
    const sources = await describeSources(postgres.db, clock.now());
    print(context, flags, { sources }, statusLines(sources));
  });

const statusLines = (sources: readonly SourceStatus[]): readonly string[] =>
  renderTable(
    [
      { title: 'source' },
      { title: 'status' },
      { title: 'data of' },
      { title: 'records', align: 'right' },
      { title: 'licence' },
      { title: 'unfinished load' },
      { title: 'problem', widthMax: 80 },
    ],
    sources.map((source) => [
      source.id,
      source.status,
      source.dataAt?.slice(0, 10) ?? '',
      count(source.records),
      source.licence,
      source.unfinishedAt === null ? '' : `after row ${count(source.unfinishedAt)}`,
      source.problem ?? '',
    ]),
  );

const merges = (context: AdminContext, flags: Json): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    const merged = await listMerges(postgres.db);
    print(context, flags, { merges: merged }, [
      ...merged.map(mergeLine),
      `${count(merged.length)} claims of several posts.`,
    ]);
  });

const mergeLine = ({ group, domain, posts }: MergedClaim): string =>
  `${group}  ${domain ?? '(by name)'}  ${posts.map((post) => `${post.discoveredAt} ${post.source}: ${post.victim}`).join(' | ')}`;

const confirmOne = (context: AdminContext, id: string, flags: ConfirmFlags): Promise<void> =>
  onSystem(context, async ({ postgres, clock }) => {
    if ((flags.reference === undefined) === (flags.withdraw !== true))
      throw new AdminError('Give --reference with a public page, or --withdraw.');
    const confirmed = await confirm({ clock, system: postgres }, id, flags.reference ?? null);
    print(context, flags, confirmed, [
      confirmed.reference === null
        ? `${id} is a claim again.`
        : `${id} is confirmed by an operator: ${confirmed.reference}`,
    ]);
  });
