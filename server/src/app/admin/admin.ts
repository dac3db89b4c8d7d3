import { Command, CommanderError } from 'commander';
import { ConfigError } from '#platform/config.ts';
import { ServiceError } from '#platform/errors.ts';
import { isPostgresAway } from '#platform/postgres.ts';
import { accessCommands } from './access-commands.ts';
import { createActBook } from './act-book.ts';
import { casesCommands } from './cases-commands.ts';
import { type AdminContext, AdminError } from './context.ts';
import { cveCommands } from './cve-commands.ts';
import { datasetsCommands } from './datasets-commands.ts';
import { feedsCommands, movedDatesMs } from './feeds-commands.ts';
import { formsCommands } from './forms-commands.ts';
import { listsCommands } from './lists-commands.ts';
import { mailCommands } from './mail-commands.ts';
import { mmdbCommands } from './mmdb-commands.ts';
import { operatorCommands } from './operator-commands.ts';
import { passwordsCommands } from './passwords-commands.ts';
import { ransomwareCommands } from './ransomware-commands.ts';
import { referenceCommands } from './reference-commands.ts';
import { replicaCommands } from './replica-commands.ts';
import { signalsCommands } from './signals-commands.ts';
import { standingCommands } from './standing-commands.ts';
import { taxiiCommands } from './taxii-commands.ts';

export const allCommands = (context: AdminContext): readonly Command[] => [
  ...accessCommands(context),
  ...operatorCommands(context),
  ...feedsCommands(context),
  casesCommands(context),
  datasetsCommands(context),
  cveCommands(context),
  referenceCommands(context),
  ransomwareCommands(context),
  passwordsCommands(context),
  listsCommands(context),
  mmdbCommands(context),
  signalsCommands(context),
  standingCommands(context),
  taxiiCommands(context),
  mailCommands(context),
  formsCommands(context),
  replicaCommands({ ...context, movedDatesMs: () => movedDatesMs(context) }),
];

/** `npm run admin -- key create …`. Returns the exit code; a failure is one sentence on stderr. */
export async function runAdmin(args: readonly string[], context: AdminContext): Promise<number> {
  const program = new Command('admin')
    .description('Administration of this deployment. Works directly on its PostgreSQL.')
    .showHelpAfterError(HELP_HINT)
    .exitOverride();
  for (const command of allCommands(context)) program.addCommand(inherit(command));
  const acts = createActBook(context);
  program.hook('preAction', (_program, command) => acts.begin(command));
  try {
    await program.parseAsync([...args], { from: 'user' });
    await acts.end(null);
    return 0;
  } catch (error) {
    await acts.end(error);
    // Commander has already printed its own message, or the requested help.
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`${sentenceOf(error)}\n`);
    return 1;
  }
}

const HELP_HINT = '(add --help for the options)';

/** Makes sub-commands throw and explain a mistake as the program does. Otherwise they would end the process. */
function inherit(command: Command): Command {
  command.exitOverride().showHelpAfterError(HELP_HINT);
  for (const child of command.commands) inherit(child);
  return command;
}

function sentenceOf(error: unknown): string {
  if (error instanceof AdminError || error instanceof ServiceError || error instanceof ConfigError)
    return error.message;
  if (isPostgresAway(error))
    return 'PostgreSQL is not reachable where DATABASE_URL says, or did not answer in time. What was committed stays. Run the command again; on a busy machine raise POSTGRES_WAIT_FACTOR.';
  if ((error as { code?: unknown }).code === '42P01')
    return 'The database is not set up yet. Run: npm run migrate';
  return error instanceof Error ? error.message : String(error);
}
