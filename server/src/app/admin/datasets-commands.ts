import { Command } from 'commander';
import {
  type DatasetDefinition,
  type DatasetStatusRow,
  type Decision,
  discardQuarantine,
  listDatasets,
  listDecisions,
  releaseDataset,
} from '#capabilities/datasets/index.ts';
import { ALL_DATASETS } from '../all-datasets.ts';
import { type AdminContext, AdminError } from './context.ts';
import { feedsShell } from './feeds-commands.ts';
import { answer, type FeedsShell, JSON_OPTION, type Json } from './feeds-shell.ts';
import { showProgress } from './progress.ts';
import { count, renderTable } from './table.ts';

type By = Json & { readonly by: string };
const BY_OPTION = ['--by <name>', 'who decides, for the record', 'an operator'] as const;
const BY_MAX = 200;

export function datasetsCommands(context: AdminContext): Command {
  const shell = feedsShell(context);
  const datasets = new Command('datasets').description(
    'Data sets of CVEs and ransomware claims: their state, and downloads that a gate stopped.',
  );
  const commands = [
    new Command('list')
      .description('Every data set with its problem, and whether its stopped download may be released.')
      .option(...JSON_OPTION)
      .action((options: Json) => list(shell, options)),
    new Command('release')
      .argument('<name>', 'a data set in quarantine')
      .description('Load the stopped download after you have checked it.')
      .option(...BY_OPTION)
      .option(...JSON_OPTION)
      .action((name: string, options: By) => release(shell, name, options)),
    new Command('discard')
      .argument('<name>', 'a data set in quarantine')
      .description('Drop the stopped download; the next one is judged anew.')
      .option(...BY_OPTION)
      .option(...JSON_OPTION)
      .action((name: string, options: By) => discard(shell, name, options)),
    new Command('decisions')
      .description('What was released and discarded, by whom and why it had been stopped.')
      .option(...JSON_OPTION)
      .action((options: Json) => decisions(shell, options)),
  ];
  for (const command of commands) datasets.addCommand(command);
  return datasets;
}

function definitionNamed(name: string): DatasetDefinition {
  const found = ALL_DATASETS.find(({ id }) => id === name);
  if (found === undefined) throw new AdminError(`There is no data set '${name}'. See: datasets list`);
  return found;
}

function deciderOf({ by }: By): string {
  if (by.trim() === '' || by.length > BY_MAX)
    throw new AdminError(`--by takes a name of 1 to ${BY_MAX} characters.`);
  return by.trim();
}

const list = (shell: FeedsShell, options: Json): Promise<void> =>
  shell.on(async ({ system }) => {
    const known = new Map((await listDatasets(system.db)).map((row) => [row.id, row]));
    const datasets = ALL_DATASETS.map((definition) => factsOf(definition, known.get(definition.id)));
    answer(shell, options, { datasets }, () => [
      ...renderTable(
        [
          { title: 'data set' },
          { title: 'of' },
          { title: 'records', align: 'right' },
          { title: 'data date' },
          { title: 'last run' },
          { title: 'quarantine' },
          { title: 'problem', widthMax: 90 },
        ],
        datasets.map((each) => [
          each.id,
          each.capability,
          count(each.records),
          each.dataAt?.slice(0, 10) ?? 'never',
          each.lastRun ?? '-',
          quarantineWord(each.isReleasable),
          each.problem ?? '',
        ]),
      ),
      'What may be released: datasets release NAME, or datasets discard NAME.',
    ]);
  });

const quarantineWord = (isReleasable: boolean | null): string => {
  if (isReleasable === null) return '';
  return isReleasable ? 'may be released' : 'refused';
};

const factsOf = ({ id, name, capability }: DatasetDefinition, row: DatasetStatusRow | undefined) => ({
  id,
  name,
  capability,
  records: row?.entries ?? 0,
  dataAt: row?.dataAtMs == null ? null : new Date(row.dataAtMs).toISOString(),
  lastRun: row?.lastRunStatus ?? null,
  isReleasable: row?.isReleasable ?? null,
  problem: row?.problem ?? null,
});

const release = (shell: FeedsShell, name: string, options: By): Promise<void> =>
  shell.on(async (deps) => {
    const progress = showProgress(deps);
    try {
      const { report, ...outcome } = await releaseDataset(deps, definitionNamed(name), {
        by: deciderOf(options),
        onProgress: (rows) => progress.update({ rows, label: name }),
      });
      progress.stop();
      answer(shell, options, { ...outcome, entries: report?.entries ?? 0, delta: report?.delta }, () => [
        `${name}: ${outcome.reason}`,
        `${count(report?.entries ?? 0)} records; ${count(report?.delta.added ?? 0)} added, ${count(report?.delta.changed ?? 0)} changed, ${count(report?.delta.removed ?? 0)} removed.`,
      ]);
    } finally {
      progress.stop();
    }
  });

const discard = (shell: FeedsShell, name: string, options: By): Promise<void> =>
  shell.on(async (deps) => {
    const { id } = definitionNamed(name);
    await discardQuarantine(deps, id, { by: deciderOf(options) });
    answer(shell, options, { sourceId: id, discarded: true }, () => [`Discarded the download of ${id}.`]);
  });

const decisions = (shell: FeedsShell, options: Json): Promise<void> =>
  shell.on(async ({ system }) => {
    const found = await listDecisions(system.db);
    answer(shell, options, { decisions: found }, () =>
      found.length === 0 ? ['Nothing has been released or discarded yet.'] : decisionLines(found),
    );
  });

const decisionLines = (found: readonly Decision[]): readonly string[] =>
  renderTable(
    [
      { title: 'at' },
      { title: 'data set' },
      { title: 'decision' },
      { title: 'by' },
      { title: 'gate' },
      { title: 'it was stopped because', widthMax: 90 },
    ],
    found.map(({ at, sourceId, action, by, gate, reason }) => [
      at.slice(0, 16).replace('T', ' '),
      sourceId,
      action,
      by,
      gate,
      reason,
    ]),
  );
