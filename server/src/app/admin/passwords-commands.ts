import { Command, Option } from 'commander';
import {
  type Coverage,
  findUnfinishedLoad,
  HASH_TYPES,
  type HashType,
  loadPasswords,
  openPasswords,
  type PasswordsStatus,
  PREFIXES,
  type VerifiedPasswords,
  verifyPasswords,
} from '#capabilities/passwords/index.ts';
import { type AdminContext, AdminError } from './context.ts';
import { showProgress } from './progress.ts';
import { count, renderTable } from './table.ts';

export type PasswordsCommandContext = Pick<AdminContext, 'out' | 'json' | 'clock' | 'log'> & {
  readonly config: Pick<AdminContext['config'], 'DATA_DIR'>;
};

type Json = { readonly json?: boolean };
type LoadFlags = Json & { readonly type: HashType; readonly date?: string; readonly partial?: string };
type VerifyFlags = Json & { readonly type?: HashType };

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const PARTIAL = /^([0-9a-f]{5})-([0-9a-f]{5})$/i;

/** Breached password hashes. Works on this node's data folder only; every node loads its own, or gets a copy. */
export function passwordsCommands(context: PasswordsCommandContext): Command {
  const passwords = new Command('passwords').description('Breached password hashes on this node.');
  const type = (text: string) => new Option('--type <type>', text).choices([...HASH_TYPES]);
  passwords
    .command('load')
    .argument(
      '<path...>',
      'files of HASH:COUNT ordered by hash, or folders with a file for each prefix; plain, gzip or zstd',
    )
    .description(
      'Replaces the corpus of one hash type. An interrupted load goes on when it is started again with the same lists.',
    )
    .addOption(type('which hashes the lists hold').makeOptionMandatory())
    .option('--date <YYYY-MM-DD>', 'date of the data; without it the date of the files')
    .option('--partial <FIRST-LAST>', 'only these prefixes, such as 00000-0CCCC; the others answer 503')
    .option('--json', 'print one JSON document')
    .action((paths: string[], flags: LoadFlags) => load(context, paths, flags));
  passwords
    .command('status')
    .description('The loaded hashes.')
    .option('--json', 'print one JSON document')
    .action((flags: Json) => status(context, flags));
  passwords
    .command('verify')
    .description('Reads all hashes in use and compares them with the digest of their load.')
    .addOption(type('only this type'))
    .option('--json', 'print one JSON document')
    .action((flags: VerifyFlags) => verify(context, flags));
  return passwords;
}

async function load(
  context: PasswordsCommandContext,
  paths: readonly string[],
  flags: LoadFlags,
): Promise<void> {
  const startedMs = context.clock.monotonic();
  const dataAtMs = flags.date === undefined ? undefined : dateOf(flags.date);
  const partial = flags.partial === undefined ? undefined : coverageOf(flags.partial);
  const progress = showProgress(context);
  let isResumeTold = false;
  const loaded = await loadPasswords({
    dataDir: context.config.DATA_DIR,
    paths,
    type: flags.type,
    nowMs: context.clock.now(),
    ...(dataAtMs === undefined ? {} : { dataAtMs }),
    ...(partial === undefined ? {} : { partial }),
    onProgress: ({ step, entries: rows, done: bytesDone, total: bytesTotal, resumedAfter }) => {
      if (resumedAfter !== null && !isResumeTold)
        progress.note(`Going on after prefix ${resumedAfter} of an interrupted load.`);
      isResumeTold = true;
      progress.update({ rows, bytesDone, bytesTotal, label: `${step} ${flags.type}` });
    },
  }).finally(progress.stop);
  const seconds = (context.clock.monotonic() - startedMs) / 1_000;
  if (flags.json === true) context.json(loaded);
  else {
    const part = partial === undefined ? '' : ` with prefixes ${loaded.first} to ${loaded.last}`;
    context.out(
      `${count(loaded.entries)} ${loaded.type} hashes of ${loaded.corpusUpdatedAt.slice(0, 10)}${part} loaded in ${seconds.toFixed(1)} s.`,
    );
  }
}

function dateOf(text: string): number {
  const atMs = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(atMs)) throw new AdminError(`'${text}' is not a date such as 2026-08-22.`);
  return atMs;
}

function coverageOf(text: string): Coverage {
  const [, from = '', to = ''] = PARTIAL.exec(text) ?? [];
  const [first, last] = [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  if (first <= last) return { first, last };
  throw new AdminError(`'${text}' is not a first and a last prefix such as 00000-0CCCC.`);
}

async function status(context: PasswordsCommandContext, flags: Json): Promise<void> {
  const dataDir = context.config.DATA_DIR;
  const passwords = openPasswords({ dataDir, log: context.log });
  const loaded = passwords.status();
  await passwords.close();
  const unfinished = {
    sha1: await findUnfinishedLoad(dataDir, 'sha1'),
    ntlm: await findUnfinishedLoad(dataDir, 'ntlm'),
  };
  if (flags.json === true) context.json({ ...loaded, unfinished });
  else for (const line of statusLines(loaded, unfinished)) context.out(line);
}

function statusLines(
  loaded: PasswordsStatus,
  unfinished: Readonly<Record<HashType, string | null>>,
): readonly string[] {
  return renderTable(
    [
      { title: 'type' },
      { title: 'hashes', align: 'right' },
      { title: 'data date' },
      { title: 'bytes', align: 'right' },
      { title: 'prefixes' },
      { title: 'digest' },
      { title: 'unfinished load' },
    ],
    HASH_TYPES.map((type) => {
      const corpus = loaded[type];
      const reached = unfinished[type] === null ? '' : `up to ${unfinished[type]}`;
      if (corpus === null) return [type, 'none', '', '', '', '', reached];
      return [
        type,
        count(corpus.entries),
        corpus.corpusUpdatedAt.slice(0, 10),
        count(corpus.bytes),
        corpus.isPartial ? `${corpus.first} to ${corpus.last}` : 'all',
        corpus.digest.slice(0, 16),
        reached,
      ];
    }),
  );
}

async function verify(context: PasswordsCommandContext, flags: VerifyFlags): Promise<void> {
  const verified = await readAll(context, flags.type === undefined ? HASH_TYPES : [flags.type]);
  if (flags.json === true) context.json(verified);
  else
    for (const { type, entries, isSound } of verified)
      context.out(`${count(entries)} ${type} hashes are ${isSound ? 'as they were loaded' : 'damaged'}.`);
  if (verified.length === 0) throw new AdminError('No corpus is loaded.');
  const damaged = verified.filter(({ isSound }) => !isSound).map(({ type }) => type);
  if (damaged.length > 0) throw new AdminError(`Load or copy again: ${damaged.join(', ')}.`);
}

async function readAll(
  context: PasswordsCommandContext,
  types: readonly HashType[],
): Promise<readonly VerifiedPasswords[]> {
  const progress = showProgress(context);
  const verified: VerifiedPasswords[] = [];
  try {
    for (const type of types) {
      const found = await verifyPasswords(context.config.DATA_DIR, type, (bytesDone, rows) =>
        progress.update({ rows, bytesDone, bytesTotal: PREFIXES, label: `verifying ${type}` }),
      );
      if (found !== null) verified.push(found);
    }
  } finally {
    progress.stop();
  }
  return verified;
}
