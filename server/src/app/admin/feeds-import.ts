import { statSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  CIDR_SEMANTICS,
  FP_RISKS,
  INFRASTRUCTURE_WORDS,
  LETTERS,
  SEMANTICS,
  SIGNALS,
  SourceSettings,
  THREAT_CLASSES,
} from '#capabilities/corpus/index.ts';
import { addSource, type FilesReport, importFiles } from '#capabilities/feeds/index.ts';
import { awaitReplica } from './await-replica.ts';
import { AdminError } from './context.ts';
import { describeSource } from './describe-source.ts';
import { type FormatOptions, formatFrom, withFormat } from './feeds-format-option.ts';
import { answer, type FeedsShell, JSON_OPTION, type Json } from './feeds-shell.ts';
import { showProgress } from './progress.ts';
import { count } from './table.ts';

const EXPIRES_MAX = 3_650;

type SettingsOptions = {
  readonly name?: string;
  readonly type?: string;
  readonly category?: string;
  readonly threatClass?: string;
  readonly fpRisk?: string;
  readonly grade?: string;
  /** The earlier name of `grade`. */
  readonly letter?: string;
  readonly signal?: string;
  readonly attributes?: string;
  readonly adOnly?: boolean;
  readonly semantics?: string;
  readonly cidrSemantics?: string;
  readonly url?: string;
  readonly license?: string;
  /** The earlier name of `license`. */
  readonly licence?: string;
  readonly expires?: number;
  readonly export?: boolean;
  readonly redistributable?: boolean;
};
type ImportFlags = SettingsOptions &
  FormatOptions &
  Json & { readonly dataDate?: string; readonly force?: boolean };

export function importCommands(shell: FeedsShell): readonly Command[] {
  return [
    withSettings(
      new Command('add')
        .argument('<id>', 'of the source')
        .description('Register a source, or change the given settings.'),
    )
      .option(...JSON_OPTION)
      .action((id: string, options: SettingsOptions & Json) => add(shell, id, options)),
    withFormat(
      withSettings(
        new Command('import')
          .argument('<id>', 'of the source; it is registered when it is new')
          .argument('<files...>', 'parts of one list; .gz, .zip, .tar and .zst are unpacked')
          .description('Replace the content of a source by files: entries not in them are no longer listed.'),
      ),
    )
      .option(
        '--data-date <date>',
        'date of the data, such as 2026-08-22; default: the one in the file, else of the file',
      )
      .option('--force', 'take it even when its size or its rejected share is out of bounds')
      .option(...JSON_OPTION)
      .action((id: string, files: string[], options: ImportFlags) => run(shell, id, files, options)),
  ];
}

const withSettings = (command: Command): Command =>
  command
    .option('--name <text>', 'name people see; default: the id')
    .option('--type <kind>', 'ip, domain, url, hash, email or mixed; default: what the list holds')
    .option('--category <word>', 'such as phishing or c2; default: malicious-activity')
    .addOption(new Option('--threat-class <class>', 'default: threat').choices(THREAT_CLASSES))
    .addOption(
      new Option('--fp-risk <risk>', 'risk of false positives; default: low for a list of your own').choices(
        FP_RISKS,
      ),
    )
    .addOption(
      new Option(
        '--grade <grade>',
        'how reliable the list is: with A one listing is answered with block, with B with review; default: B for a list of your own',
      ).choices(LETTERS),
    )
    .addOption(new Option('--letter <grade>', 'the same as --grade').choices(LETTERS).hideHelp())
    .addOption(
      new Option('--signal <signal>', 'only a scanner sets malicious; default: feed').choices(SIGNALS),
    )
    .option(
      '--attributes <words>',
      `what its entries are, comma-separated: ${INFRASTRUCTURE_WORDS.join(', ')}`,
    )
    .option('--ad-only', 'advertising or trackers: never counted as a threat')
    .addOption(
      new Option('--semantics <kind>', 'what absence from the file means; default: state').choices(SEMANTICS),
    )
    .addOption(new Option('--cidr-semantics <kind>', 'default: observed').choices(CIDR_SEMANTICS))
    .option('--url <url>', 'where the publisher offers it')
    .addOption(
      new Option(
        '--expires <days>',
        'days after which a list of your own stops counting, from its last import; 0: it does not expire; default: 0',
      ).argParser(expiryDays),
    )
    .addOption(new Option('--export', 'export its entries again').hideHelp())
    .option('--no-export', 'keep its entries out of blocklists and TAXII collections')
    .option(
      '--license <text>',
      'license terms of the data; the entries are then exported only with --redistributable',
    )
    .addOption(new Option('--licence <text>', 'the same as --license').hideHelp())
    .option('--redistributable', 'the license terms allow to pass the entries on, so export them')
    .addOption(
      new Option('--no-redistributable', 'the license terms do not allow to pass the entries on').hideHelp(),
    );

const add = (shell: FeedsShell, id: string, options: SettingsOptions & Json): Promise<void> =>
  shell.on(async (deps) => {
    const source = await addSource(deps, id, settingsFrom(options));
    answer(shell, options, { source: { ...source, grade: source.letter } }, () => describeSource(source));
  });

const run = (shell: FeedsShell, id: string, files: readonly string[], options: ImportFlags): Promise<void> =>
  shell.on(async (deps) => {
    const format = formatFrom(options);
    const fileMs = newestFileMs(files);
    const settings = settingsFrom(options);
    const progress = showProgress(deps);
    try {
      const report = await importFiles(deps, id, {
        files,
        ...(format === null ? {} : { format }),
        settings,
        dataAtMs: options.dataDate === undefined ? fileMs : dateMs(options.dataDate),
        isDateGiven: options.dataDate !== undefined,
        force: options.force === true,
        onProgress: (rows) => progress.update({ rows, label: id }),
      });
      progress.stop();
      const { source, ...figures } = report;
      const { config, clock } = shell.context;
      const inUse = await awaitReplica(deps.system.db, { dataDir: config.DATA_DIR, clock });
      answer(shell, options, figures, () => [
        ...summary(report),
        ...describeSource(source),
        ...(inUse === null ? [] : [inUse]),
      ]);
    } finally {
      progress.stop();
    }
  });

/** Listed one by one, because other options are not settings, and --format has another meaning there. */
const SETTINGS = [
  'name',
  'type',
  'category',
  'threatClass',
  'fpRisk',
  'signal',
  'adOnly',
  'semantics',
  'cidrSemantics',
  'url',
  'redistributable',
] as const satisfies readonly (keyof SettingsOptions)[];

function settingsFrom(options: SettingsOptions): SourceSettings {
  const words = options.attributes?.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
  const given = SETTINGS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]));
  const letter = options.grade ?? options.letter;
  const licence = options.license ?? options.licence;
  const parsed = SourceSettings.safeParse({
    ...Object.fromEntries(given),
    ...(letter === undefined ? {} : { letter }),
    ...(licence === undefined ? {} : { licence }),
    ...(options.expires === undefined ? {} : { expiresDays: options.expires }),
    ...(options.export === undefined ? {} : { exported: options.export }),
    ...(words === undefined ? {} : { attributes: words }),
  });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AdminError(`${String(issue?.path[0] ?? 'settings')}: ${issue?.message ?? 'not understood'}`);
}

/** A list without dates gets the date of its file, never the time of the import (scoring ruling 1). */
function newestFileMs(files: readonly string[]): number {
  return Math.max(
    ...files.map((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      if (stats === undefined || !stats.isFile()) throw new AdminError(`There is no file '${file}'.`);
      return stats.mtimeMs;
    }),
  );
}

function expiryDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 0 || days > EXPIRES_MAX)
    throw new InvalidArgumentError(`Give whole days from 0 to ${count(EXPIRES_MAX)}, such as 30.`);
  return days;
}

function dateMs(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw new AdminError(`'${text}' is not a date; write it as in 2026-08-22.`);
  return ms;
}

function summary(report: FilesReport): readonly string[] {
  return [
    `${report.sourceId}${report.isNew ? ' (new)' : ''}: ${count(report.entries)} entries; ${count(report.added)} added, ${count(report.removed)} removed, ${count(report.changed)} changed, ${count(report.unchanged)} unchanged`,
    `${count(report.lines)} rows, ${count(report.duplicates)} duplicates, ${count(report.unsupported)} unsupported, ${count(report.rejected)} rejected, ${count(report.disposed)} disposed`,
    ...report.reasons.map(
      ({ kind, reason, count: times, example }) => `  ${count(times)} x ${kind}: ${reason} (${example})`,
    ),
  ];
}
