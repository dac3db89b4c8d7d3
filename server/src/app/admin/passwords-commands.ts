import { Command, Option } from 'commander';
import {
  HASH_TYPES,
  type HashType,
  loadPasswords,
  openPasswords,
  type PasswordsStatus,
} from '#capabilities/passwords/index.ts';
import { type AdminContext, AdminError } from './context.ts';
import { showProgress } from './progress.ts';
import { count, renderTable } from './table.ts';

export type PasswordsCommandContext = Pick<AdminContext, 'out' | 'json' | 'clock' | 'log'> & {
  readonly config: Pick<AdminContext['config'], 'DATA_DIR'>;
};

type Json = { readonly json?: boolean };
type LoadFlags = Json & { readonly type: HashType; readonly date?: string };

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Breached password hashes. Works on this node's data folder only; every node loads its own. */
export function passwordsCommands(context: PasswordsCommandContext): Command {
  const passwords = new Command('passwords').description('Breached password hashes on this node.');
  passwords
    .command('load')
    .argument('<file>', 'HASH:COUNT ordered by hash, as Have I Been Pwned publishes it; .gz is accepted')
    .description('Replaces the corpus of one hash type. Running processes use the new one within a second.')
    .addOption(
      new Option('--type <type>', 'which hashes the file holds')
        .choices([...HASH_TYPES])
        .makeOptionMandatory(),
    )
    .option('--date <YYYY-MM-DD>', 'date of the data; without it the date of the file')
    .option('--json', 'print one JSON document')
    .action((file: string, flags: LoadFlags) => load(context, file, flags));
  passwords
    .command('status')
    .description('The loaded hashes.')
    .option('--json', 'print one JSON document')
    .action((flags: Json) => status(context, flags));
  return passwords;
}

async function load(context: PasswordsCommandContext, file: string, flags: LoadFlags): Promise<void> {
  const startedMs = context.clock.monotonic();
  const dataAtMs = flags.date === undefined ? undefined : dateOf(flags.date);
  const progress = showProgress(context);
  const loaded = await loadPasswords({
    dataDir: context.config.DATA_DIR,
    file,
    type: flags.type,
    nowMs: context.clock.now(),
    ...(dataAtMs === undefined ? {} : { dataAtMs }),
    onProgress: ({ entries: rows, bytesDone, bytesTotal }) =>
      progress.update({ rows, bytesDone, bytesTotal, label: flags.type }),
  }).finally(progress.stop);
  const seconds = (context.clock.monotonic() - startedMs) / 1_000;
  if (flags.json === true) context.json(loaded);
  else
    context.out(
      `${count(loaded.entries)} ${loaded.type} hashes of ${loaded.corpusUpdatedAt.slice(0, 10)} loaded in ${seconds.toFixed(1)} s.`,
    );
}

function dateOf(text: string): number {
  const atMs = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(atMs)) throw new AdminError(`'${text}' is not a date such as 2026-08-22.`);
  return atMs;
}

async function status(context: PasswordsCommandContext, flags: Json): Promise<void> {
  const passwords = openPasswords({ dataDir: context.config.DATA_DIR, log: context.log });
  const report = passwords.status();
  await passwords.close();
  if (flags.json === true) context.json(report);
  else for (const line of statusLines(report)) context.out(line);
}

function statusLines(report: PasswordsStatus): readonly string[] {
  return renderTable(
    [
      { title: 'type' },
      { title: 'hashes', align: 'right' },
      { title: 'data date' },
      { title: 'bytes', align: 'right' },
    ],
    HASH_TYPES.map((type) => {
      const corpus = report[type];
      if (corpus === null) return [type, 'none', '', ''];
      return [type, count(corpus.entries), corpus.corpusUpdatedAt.slice(0, 10), count(corpus.bytes)];
    }),
  );
}
