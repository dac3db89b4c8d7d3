import { statSync } from 'node:fs';
import { Command, Option } from 'commander';
import {
  CIDR_SEMANTICS,
  FP_RISKS,
  INFRASTRUCTURE_WORDS,
  listSources,
  registerSource,
  SEMANTICS,
  SIGNALS,
  type Source,
  SourceSettings,
  THREAT_CLASSES,
} from '#capabilities/corpus/index.ts';
import { type ImportReport, importPlainList, readLines } from '#capabilities/feeds/index.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { type AdminContext, AdminError } from './context.ts';

const PROGRESS_EVERY_MS = 2_000;

type Json = { readonly json?: boolean };
type SettingsOptions = Json & {
  readonly name?: string;
  readonly type?: string;
  readonly category?: string;
  readonly threatClass?: string;
  readonly fpRisk?: string;
  readonly signal?: string;
  readonly attributes?: string;
  readonly adOnly?: boolean;
  readonly semantics?: string;
  readonly cidrSemantics?: string;
  readonly url?: string;
  readonly licence?: string;
};
type ImportFlags = SettingsOptions & { readonly dataDate?: string };

/** Sources and lists from the command line. */
export function feedsCommands(context: AdminContext): Command[] {
  const feeds = new Command('feeds').description('Sources and the lists they publish.');
  feeds
    .command('list')
    .description('Every source with its class, entries and the date of its data.')
    .option('--json', 'print one JSON document')
    .action((options: Json) => list(context, options));
  withSettings(feeds.command('add <id>').description('Register a source, or change what is given of it.'))
    .option('--json', 'print one JSON document')
    .action((id: string, options: SettingsOptions) => add(context, id, options));
  withSettings(
    feeds
      .command('import <id> <files...>')
      .description('Make plain lists (.txt, .gz) the content of a source; it is registered when it is new.'),
  )
    .option(
      '--data-date <date>',
      'date of the data, such as 2026-08-22; default: the date of the newest file',
    )
    .option('--json', 'print one JSON document')
    .action((id: string, files: string[], options: ImportFlags) => importFiles(context, id, files, options));
  return [feeds];
}

const withSettings = (command: Command): Command =>
  command
    .option('--name <text>', 'name people see; default: the id')
    .option('--type <kind>', 'ip, domain, url, hash, email or mixed; default: what the list holds')
    .option('--category <word>', 'such as phishing or c2; default: malicious-activity')
    .addOption(new Option('--threat-class <class>', 'default: threat').choices(THREAT_CLASSES))
    .addOption(new Option('--fp-risk <risk>', 'risk of false positives; default: medium').choices(FP_RISKS))
    .addOption(
      new Option('--signal <signal>', 'only a scanner sets malicious; default: feed').choices(SIGNALS),
    )
    .option(
      '--attributes <words>',
      `what its entries are, comma-separated: ${INFRASTRUCTURE_WORDS.join(', ')}`,
    )
    .option('--ad-only', 'ads and trackers only: shown, never counted')
    .addOption(
      new Option('--semantics <meaning>', 'window and delta never delist by absence; default: state').choices(
        SEMANTICS,
      ),
    )
    .addOption(new Option('--cidr-semantics <meaning>', 'default: observed').choices(CIDR_SEMANTICS))
    .option('--url <url>', 'where the publisher offers it')
    .option('--licence <text>', 'terms of the data');

const list = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async (system) => {
    const sources = await listSources(system.db);
    if (options.json === true) return context.json({ sources });
    if (sources.length === 0) return context.out('No sources yet. Start with: feeds import my-list file.txt');
    for (const source of sources) context.out(describe(source));
  });

const add = (context: AdminContext, id: string, options: SettingsOptions): Promise<void> =>
  onSystem(context, async (system) => {
    const source = await registerSource({ system, clock: context.clock }, id, settingsOf(options));
    if (options.json === true) context.json({ source });
    else context.out(describe(source));
  });

const importFiles = (
  context: AdminContext,
  id: string,
  files: readonly string[],
  options: ImportFlags,
): Promise<void> =>
  onSystem(context, async (system) => {
    const progress = showProgress(context);
    try {
      const report = await importPlainList({ system, clock: context.clock }, id, readLines(files), {
        dataAtMs: options.dataDate === undefined ? newestFileMs(files) : dateMs(options.dataDate),
        settings: settingsOf(options),
        onProgress: progress.update,
      });
      if (options.json === true) context.json(report);
      else for (const line of summary(report)) context.out(line);
    } finally {
      progress.stop();
    }
  });

async function onSystem(context: AdminContext, work: (system: Postgres) => Promise<void>): Promise<void> {
  const system = asSystem(context.config);
  try {
    await work(system);
  } finally {
    await system.close();
  }
}

function settingsOf(options: SettingsOptions): SourceSettings {
  const { attributes, json: _json, ...rest } = options;
  const words = attributes?.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
  const given = { ...rest, ...(words === undefined ? {} : { attributes: words }) };
  const parsed = SourceSettings.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AdminError(`${String(issue?.path[0] ?? 'settings')}: ${issue?.message ?? 'not understood'}`);
}

/** A list without dates has the date of its file, never the time of the import (scoring ruling 1). */
function newestFileMs(files: readonly string[]): number {
  return Math.max(
    ...files.map((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      if (stats === undefined || !stats.isFile()) throw new AdminError(`There is no file '${file}'.`);
      return stats.mtimeMs;
    }),
  );
}

function dateMs(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw new AdminError(`'${text}' is not a date; write it as in 2026-08-22.`);
  return ms;
}

/** A line on stderr every two seconds; short imports print none. */
function showProgress({ clock }: AdminContext): { update: (lines: number) => void; stop: () => void } {
  const startMs = clock.monotonic();
  let lines = 0;
  const timer = setInterval(() => {
    const seconds = (clock.monotonic() - startMs) / 1_000;
    process.stderr.write(`${count(lines)} lines read, ${count(Math.round(lines / seconds))} rows/s\n`);
  }, PROGRESS_EVERY_MS);
  return {
    update: (read) => {
      lines = read;
    },
    stop: () => clearInterval(timer),
  };
}

const count = (value: number): string => value.toLocaleString('en-US');

const describe = (source: Source): string =>
  [
    source.id.padEnd(32),
    `${source.threatClass}/${source.fpRisk}`.padEnd(22),
    source.category.padEnd(20),
    count(source.entries).padStart(11),
    source.dataAtS === 0 ? 'never' : new Date(source.dataAtS * 1_000).toISOString().slice(0, 10),
    source.enabled ? '' : 'disabled',
  ]
    .join(' ')
    .trimEnd();

function summary(report: ImportReport): readonly string[] {
  return [
    `${report.sourceId}${report.isNew ? ' (new)' : ''}: ${count(report.entries)} entries; ${count(report.added)} added, ${count(report.removed)} removed, ${count(report.changed)} changed, ${count(report.unchanged)} unchanged`,
    `${count(report.lines)} lines, ${count(report.duplicates)} duplicates, ${count(report.rejected)} rejected`,
    ...report.rejections.map(
      ({ reason, count: times, example }) => `  ${count(times)} x ${reason} (${example})`,
    ),
  ];
}
