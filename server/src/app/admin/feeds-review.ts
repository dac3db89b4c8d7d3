import { Command, Option } from 'commander';
import {
  approveSubmission,
  listSubmissions,
  rejectSubmission,
  SUBMISSION_STATUSES,
  type Submission,
  type SubmissionStatus,
} from '#capabilities/feeds/index.ts';
import { computeLineage, type LineageReport, readLineage } from '#capabilities/source-trust/index.ts';
import { HOUR_S } from '#platform/time-units.ts';
import { answer, type FeedsShell, JSON_OPTION, type Json } from './feeds-shell.ts';
import { day, renderTable } from './table.ts';

const PAIRS_SHOWN = 20;

export const reviewCommands = (shell: FeedsShell): readonly Command[] => [
  new Command('lineage')
    .description('Which sources copy each other: copies count as one opinion.')
    .option('--compute', 'measure now instead of waiting for the night')
    .option(...JSON_OPTION)
    .action((options: Json & { compute?: boolean }) => lineage(shell, options)),
  submissionsCommand(shell),
];

const lineage = (shell: FeedsShell, options: Json & { compute?: boolean }): Promise<void> =>
  shell.on(async (deps) => {
    const report = options.compute === true ? await computeLineage(deps) : await readLineage(deps.system.db);
    answer(shell, options, lineageDocument(report), () => lineageLines(report));
  });

const lineageDocument = ({ computedAtMs, ...report }: LineageReport) => ({
  computedAt: computedAtMs === null ? null : new Date(computedAtMs).toISOString(),
  ...report,
});

function lineageLines(report: LineageReport): readonly string[] {
  if (report.computedAtMs === null) return ['Not measured yet. Measure now with: feeds lineage --compute'];
  const holding = (title: string, rows: LineageReport['aggregates']) =>
    rows.length === 0 ? [] : [title, ...rows.map(({ id, holds }) => `  ${id}: ${holds.join(', ')}`)];
  return [
    `Measured on ${day(report.computedAtMs)}${report.isProvisional ? '; provisional, with less than seven days of history' : ''}.`,
    `${report.clusters.length} clusters of sources that count as one opinion:`,
    ...report.clusters.flatMap(({ cluster, members }) => [
      `  ${cluster} (${members.length})`,
      ...members.map(
        ({ id, because }) => `    ${id}${because.length === 0 ? '' : `: ${because.join('; ')}`}`,
      ),
    ]),
    ...(report.echoes.length === 0
      ? []
      : [
          'Echoes, which have entries of a kind later than another source:',
          ...report.echoes.map(({ id, of, kind }) => `  ${id}: ${kind} of ${of}`),
        ]),
    ...holding(
      'Aggregates, which count only where no other source does, and what they hold:',
      report.aggregates,
    ),
    ...holding('Not declared as aggregates, yet they hold others; worth a look:', report.suspects),
    ...renderTable(
      [{ title: 'closest pairs' }, { title: 'lies in' }, { title: 'share', align: 'right' }],
      report.pairs
        .slice(0, PAIRS_SHOWN)
        .map(({ smaller, larger, containment }) => [smaller, larger, containment.toFixed(2)]),
    ),
  ];
}

function submissionsCommand(shell: FeedsShell): Command {
  const submissions = new Command('submissions').description('Sources that users proposed.');
  submissions
    .command('list')
    .description('Proposals, oldest first.')
    .addOption(
      new Option('--status <status>', 'which of them')
        .choices([...SUBMISSION_STATUSES, 'all'])
        .default('pending'),
    )
    .option(...JSON_OPTION)
    .action((options: Json & { status: SubmissionStatus | 'all' }) =>
      shell.on(async ({ system }) => {
        const found = await listSubmissions(system, options.status === 'all' ? null : options.status);
        answer(shell, options, { submissions: found.map(submissionFacts) }, () =>
          found.length === 0 ? ['No proposals wait.'] : submissionLines(found),
        );
      }),
    );
  submissions
    .command('approve <id>')
    .description('Register a proposed list as a source; the worker fetches it by its schedule.')
    .option('--source <id>', 'id of the new source; default: made from its name')
    .option('--note <text>', 'why, for the record')
    .option(...JSON_OPTION)
    .action((id: string, options: Json & { source?: string; note?: string }) =>
      shell.on(async (deps) => {
        const { submission, source } = await approveSubmission(deps, id, {
          ...(options.source === undefined ? {} : { sourceId: options.source }),
          ...(options.note === undefined ? {} : { note: options.note }),
        });
        answer(shell, options, { submission: submissionFacts(submission), sourceId: source.id }, () => [
          `Approved: source ${source.id}, letter ${source.letter}, fetched every ${Math.round(source.intervalS / HOUR_S)} hours.`,
          `Say more about it with: feeds add ${source.id} --category … --licence …`,
        ]);
      }),
    );
  submissions
    .command('reject <id>')
    .description('Turn a proposal down; the same address is not proposed again.')
    .requiredOption('--note <text>', 'why, for the record')
    .option(...JSON_OPTION)
    .action((id: string, options: Json & { note: string }) =>
      shell.on(async (deps) => {
        const submission = await rejectSubmission(deps, id, options.note);
        answer(shell, options, { submission: submissionFacts(submission) }, () => [`Rejected ${id}.`]);
      }),
    );
  return submissions;
}

const submissionFacts = ({ submittedAt, decidedAt, ...submission }: Submission) => ({
  ...submission,
  submittedAt: submittedAt.toISOString(),
  decidedAt: decidedAt?.toISOString() ?? null,
});

const submissionLines = (submissions: readonly Submission[]): readonly string[] =>
  renderTable(
    [
      { title: 'id' },
      { title: 'proposed' },
      { title: 'status' },
      { title: 'type' },
      { title: 'category' },
      { title: 'name', widthMax: 40 },
      { title: 'url', widthMax: 100 },
    ],
    submissions.map((each) => [
      each.id,
      day(each.submittedAt.getTime()),
      each.status,
      each.type,
      each.category ?? '',
      each.name,
      each.url,
    ]),
  );
