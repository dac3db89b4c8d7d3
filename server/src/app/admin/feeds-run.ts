import { Command } from 'commander';
import { findSource } from '#capabilities/corpus/index.ts';
import { discardQuarantine, listQuarantine, type RunOutcome } from '#capabilities/datasets/index.ts';
import {
  disableSource,
  enableSource,
  type IngestReport,
  type PipelineDeps,
  releaseQuarantine,
  retireSource,
  rollbackSource,
  runSource,
} from '#capabilities/feeds/index.ts';
import { DAY_S, HOUR_S } from '#platform/time-units.ts';
import { AdminError } from './context.ts';
import { answer, type FeedsShell, JSON_OPTION, type Json } from './feeds-shell.ts';
import { showProgress } from './progress.ts';
import { count, day, renderTable } from './table.ts';

export function runCommands(shell: FeedsShell): readonly Command[] {
  return [
    new Command('run')
      .argument('<id>', 'a source of the catalogue')
      .description('Fetch a source now, as the worker would.')
      .option('--force', 'do not wait for its interval, and read it again even when nothing changed')
      .option(...JSON_OPTION)
      .action((id: string, options: RunFlags) => run(shell, id, options)),
    new Command('enable')
      .argument('<id>', 'a source of the catalogue, or an approved one')
      .description('Let the worker fetch a source by its interval.')
      .option('--accept-licence', 'you have read its terms and they fit your use')
      .option(...JSON_OPTION)
      .action((id: string, options: EnableFlags) => enable(shell, id, options)),
    new Command('disable')
      .argument('<id>', 'a source')
      .description('Stop fetching a source; its listings stay and age.')
      .option(...JSON_OPTION)
      .action((id: string, options: Json) => disable(shell, id, options)),
    new Command('retire')
      .argument('<id>', 'a source')
      .description(
        'Remove a source from every answer, blocklist and collection. Its history stays; importing an own list again brings it back.',
      )
      .option(...JSON_OPTION)
      .action((id: string, options: Json) =>
        shell.on(async (deps) => {
          await retireSource(deps, id);
          answer(shell, options, { sourceId: id, retired: true }, () => [
            `${id} no longer counts. Blocklists follow with their next build.`,
          ]);
        }),
      ),
    new Command('quarantine')
      .description('Downloads that a gate stopped, with the reason.')
      .option(...JSON_OPTION)
      .action((options: Json) => quarantine(shell, options)),
    new Command('release')
      .argument('<id>', 'a source in quarantine')
      .description('Accept the stopped download after you have checked it.')
      .option(...JSON_OPTION)
      .action((id: string, options: Json) =>
        shell.on(async (deps) => printOutcome(shell, options, await releaseQuarantine(deps, id))),
      ),
    new Command('discard')
      .argument('<id>', 'a source in quarantine')
      .description('Drop the stopped download; the next one is judged anew.')
      .option(...JSON_OPTION)
      .action((id: string, options: Json) =>
        shell.on(async (deps) => {
          await discardQuarantine(deps, id, { by: 'an operator' });
          answer(shell, options, { sourceId: id, discarded: true }, () => [
            `Discarded the download of ${id}.`,
          ]);
        }),
      ),
    new Command('rollback')
      .argument('<id>', 'a source')
      .description('Restore the previous content of a source; the bad content is not taken again.')
      .option('--to <run>', 'to the content of this run; default: the one before the last change')
      .option(...JSON_OPTION)
      .action((id: string, options: Json & { to?: string }) => rollback(shell, id, options)),
  ];
}

type RunFlags = Json & { readonly force?: boolean };
type EnableFlags = Json & { readonly acceptLicence?: boolean };

const run = (shell: FeedsShell, id: string, options: RunFlags): Promise<void> =>
  shell.on(async (deps) => {
    const stop = new AbortController();
    const onInterrupt = () => stop.abort(new AdminError('Stopped; the last good content was kept.'));
    process.once('SIGINT', onInterrupt);
    const progress = showProgress(deps);
    try {
      const outcome = await runSource(deps, id, {
        force: options.force === true,
        signal: stop.signal,
        onProgress: ({ phase, lines }) => progress.update({ rows: lines, label: `${id} (${phase})` }),
      });
      progress.stop();
      printOutcome(shell, options, outcome);
    } finally {
      progress.stop();
      process.off('SIGINT', onInterrupt);
    }
  });

/** A run without changes is a success; a failed run is an error, also for scripts. */
function printOutcome(shell: FeedsShell, options: Json, outcome: RunOutcome<IngestReport>): void {
  const { report, ...facts } = outcome;
  const document = { ...facts, report: report === undefined ? null : reportFacts(report) };
  const sentence = `${outcome.sourceId}: ${outcome.status}${outcome.reason === null ? '' : `. ${outcome.reason}`}`;
  const isError = outcome.status === 'failed' || outcome.status === 'quarantined';
  if (isError && options.json !== true) throw new AdminError(`${sentence}${nextStep(outcome)}`);
  answer(shell, options, document, () => [sentence, ...(report === undefined ? [] : reportLines(report))]);
  if (isError) throw new AdminError(sentence);
}

const nextStep = ({ status, sourceId }: RunOutcome): string =>
  status === 'quarantined' ? ` See: feeds status ${sourceId}; then feeds release or feeds discard.` : '';

const reportFacts = ({ source, counts, dataAtMs, ...merge }: IngestReport) => ({
  ...merge,
  entries: source.entries,
  dataAt: new Date(dataAtMs).toISOString(),
  counts,
});

export function reportLines({ source, counts, dataAtMs, ...merge }: IngestReport): readonly string[] {
  return [
    `${count(source.entries)} entries of ${new Date(dataAtMs).toISOString().slice(0, 10)}; ${count(merge.added)} added, ${count(merge.removed)} removed, ${count(merge.changed)} changed, ${count(merge.unchanged)} unchanged`,
    `${count(counts.lines)} rows, ${count(merge.duplicates)} duplicates, ${count(counts.unsupported)} unsupported, ${count(counts.rejected)} rejected, ${count(counts.disposed)} disposed`,
    ...counts.reasons.map(
      ({ kind, reason, count: times, example }) => `  ${count(times)} x ${kind}: ${reason} (${example})`,
    ),
  ];
}

const enable = (shell: FeedsShell, id: string, options: EnableFlags): Promise<void> =>
  shell.on(async (deps) => {
    const acceptLicence = options.acceptLicence === true;
    const { source, row, isKeyMissing } = await enableSource(deps, id, { acceptLicence });
    const document = { sourceId: id, scheduled: source.scheduled, licence: row.licence.name, isKeyMissing };
    answer(shell, options, document, () => [
      `${id} is fetched every ${interval(row.pollS)} from now on, by whichever worker is free.`,
      ...(isKeyMissing ? [`It needs a key: set ${row.key?.env} for the worker first.`] : []),
      ...(row.licence.attribution === undefined ? [] : [`Credit: ${row.licence.attribution}`]),
    ]);
  });

const interval = (seconds: number): string => {
  if (seconds % DAY_S === 0) return seconds === DAY_S ? 'day' : `${seconds / DAY_S} days`;
  if (seconds % HOUR_S === 0) return seconds === HOUR_S ? 'hour' : `${seconds / HOUR_S} hours`;
  return `${Math.round(seconds / 60)} minutes`;
};

const disable = (shell: FeedsShell, id: string, options: Json): Promise<void> =>
  shell.on(async (deps) => {
    await disableSource(deps, id);
    answer(shell, options, { sourceId: id, scheduled: false }, () => [
      `${id} is no longer fetched. Its listings stay and age.`,
    ]);
  });

async function knownSource(deps: PipelineDeps, id: string) {
  const source = await findSource(deps.system.db, id);
  if (source === undefined) throw new AdminError(`There is no source '${id}'. See: feeds list`);
  return source;
}

const quarantine = (shell: FeedsShell, options: Json): Promise<void> =>
  shell.on(async (deps) => {
    const rows = await listQuarantine(deps);
    answer(shell, options, { quarantine: rows }, () => {
      if (rows.length === 0) return ['Nothing is in quarantine.'];
      return [
        ...renderTable(
          [
            { title: 'source' },
            { title: 'since' },
            { title: 'gate' },
            { title: 'may be released' },
            { title: 'reason', widthMax: 120 },
          ],
          rows.map((row) => [
            row.sourceId,
            row.since.slice(0, 16).replace('T', ' '),
            row.gate,
            row.isReleasable ? 'yes' : 'no',
            row.reason,
          ]),
        ),
        'Look at it (feeds status ID), then: feeds release ID, or feeds discard ID. For data sets of CVEs and ransomware: datasets release ID.',
        'Files of a data set are not kept here: take them with feeds import-manifest FOLDER --accept ID.',
      ];
    });
  });

const rollback = (shell: FeedsShell, id: string, options: Json & { to?: string }): Promise<void> =>
  shell.on(async (deps) => {
    await knownSource(deps, id);
    const report = await rollbackSource(deps, id, options.to === undefined ? {} : { to: options.to });
    const { source, added, removed, changed, runId, dataAtMs } = report;
    const document = {
      sourceId: id,
      runId,
      dataAt: new Date(dataAtMs).toISOString(),
      entries: source.entries,
      added,
      removed,
      changed,
    };
    answer(shell, options, document, () => [
      `${id} lists its content of ${day(dataAtMs)} again: ${count(source.entries)} entries; ${count(added)} added, ${count(removed)} removed, ${count(changed)} changed.`,
      'The content that was taken back is not taken again, unless by: feeds run ID --force',
    ]);
  });
