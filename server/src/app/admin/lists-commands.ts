import { Command } from 'commander';
import {
  buildLists,
  isListName,
  LIST_NAMES,
  type ListName,
  type ListReport,
  type ListState,
  listStates,
  publishLists,
  releaseHeld,
} from '#capabilities/blocklists/index.ts';
import { listSources } from '#capabilities/corpus/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import type { Db } from '#platform/postgres.ts';
import { openListSource } from '../open-list-source.ts';
import { type Json, onSystem, print } from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';
import { emptyWords, excludedWords } from './excluded-words.ts';
import { readOwnLists } from './own-lists.ts';
import { count, renderTable } from './table.ts';

export function listsCommands(context: AdminContext): Command {
  const lists = new Command('lists').description('The shared blocklists.');
  lists
    .command('build')
    .argument('[list]', 'one of the eight file names; default: all')
    .description('Build now what has changed. Every node serves it within ten seconds.')
    .option('--json', 'print one JSON document')
    .action((list: string | undefined, options: Json) => build(context, list, options));
  lists
    .command('status')
    .description(
      'How long each list is, when it changed, what was left out and why, and how old your own lists are.',
    )
    .option('--json', 'print one JSON document')
    .action((options: Json) => status(context, options));
  lists
    .command('release')
    .argument('<list>', 'a list that lost half of its lines')
    .description('Let a list become as short as its members say. Look at "lists status" first.')
    .option('--json', 'print one JSON document')
    .action((list: string, options: Json) => release(context, list, options));
  return lists;
}

const build = (context: AdminContext, named: string | undefined, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres, clock }) => {
    const { config, log } = context;
    const source = openListSource(postgres.db, config.DISTRIBUTION);
    if ((await source.isReady?.()) === false) throw new AdminError(await whyNotReady(postgres.db));
    const { openArtifact } = createArtifacts({ postgres, dataDir: config.DATA_DIR, log, clock });
    const deps = { clock, source, openArtifact, transaction: postgres.transaction };
    const reports = await (named === undefined ? publishLists(deps) : buildLists(deps, [listNamed(named)]));
    print(context, options, { lists: reports.map((report) => ({ ...report, error: undefined })) }, [
      ...reports.map(sentenceOf),
      'Every API process serves the new files within ten seconds.',
    ]);
    const failed = reports.filter(({ outcome }) => outcome === 'failed').length;
    if (failed > 0) throw new AdminError(`${failed} of ${reports.length} lists failed; the rest is done.`);
  });

async function whyNotReady(db: Db): Promise<string> {
  if ((await listSources(db)).every(({ entries }) => entries === 0))
    return 'Nothing is imported yet, so no list was built. Import a list (npm run admin -- feeds import my-list FILE), or let the worker download the public ones.';
  return 'Not every indicator is scored yet, so no list was built. The worker does it; to wait for it: npm run admin -- standing follow';
}

const status = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres, clock }) => {
    const states = await listStates(postgres.db);
    const ownLists = await readOwnLists(postgres.db, clock.now());
    const columns = [
      { title: 'list' },
      { title: 'lines', align: 'right' },
      { title: 'sample', align: 'right' },
      { title: 'changed' },
      { title: 'state', widthMax: 160 },
      { title: 'excluded' },
    ] as const;
    print(
      context,
      options,
      { lists: states.map(({ excludedAs: _as, ...state }) => state), ownLists },
      states.length === 0
        ? [
            'No list was built yet. The worker builds them every ten minutes; now: npm run admin -- lists build',
          ]
        : renderTable(
            columns,
            states.map((state) => [
              state.list,
              count(state.lines),
              count(state.sampleLines),
              state.modifiedAtMs === null ? '' : new Date(state.modifiedAtMs).toISOString(),
              stateOf(state),
              state.excluded === null
                ? 'not counted yet'
                : excludedWords(state.excluded).slice('excluded: '.length),
            ]),
          ).concat(ownLists.map(({ sentence }) => sentence)),
    );
  });

const release = (context: AdminContext, named: string, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    const list = listNamed(named);
    if (!(await postgres.transaction((tx) => releaseHeld(tx, list))))
      throw new AdminError(`${list} waits for no release. Lists that do: npm run admin -- lists status`);
    print(context, options, { list, released: true }, [
      `${list} is released. The next build makes it shorter; now: npm run admin -- lists build ${list}`,
    ]);
  });

function listNamed(text: string): ListName {
  if (isListName(text)) return text;
  throw new AdminError(`'${text}' is not a list; use one of ${LIST_NAMES.join(', ')}.`);
}

function stateOf({ failure, heldLines, lines, excluded }: ListState): string {
  if (heldLines !== null) return `waits for you: it would have ${linesOf(heldLines)} (lists release)`;
  if (failure !== null) return `the last build failed: ${failure}`;
  return lines === 0 ? emptyWords(excluded) : 'in order';
}

const linesOf = (lines: number): string => `${count(lines)} ${lines === 1 ? 'line' : 'lines'}`;

const sentenceOf = (report: ListReport): string =>
  `${outcomeOf(report)}${report.excluded === null ? '' : `; ${excludedWords(report.excluded)}`}.`;

function outcomeOf(report: ListReport): string {
  switch (report.outcome) {
    case 'built':
      return `${report.list}: built, ${linesOf(report.lines)}`;
    case 'unchanged':
      return `${report.list}: unchanged, ${linesOf(report.lines)}`;
    case 'held':
      return `${report.list}: lost half of its ${linesOf(report.lines)} and waits for you (lists release)`;
    case 'failed':
      return `${report.list}: failed: ${report.failure}`;
  }
}
