import { Command, CommanderError } from 'commander';
import { ConfigError } from '#platform/config.ts';
import { ServiceError } from '#platform/errors.ts';
import { isPostgresAway } from '#platform/postgres.ts';
import { accessCommands } from './access-commands.ts';
import { type AdminContext, AdminError } from './context.ts';
import { cveCommands } from './cve-commands.ts';
import { feedsCommands, movedDatesMs } from './feeds-commands.ts';
import { formsCommands } from './forms-commands.ts';
import { listsCommands } from './lists-commands.ts';
import { mailCommands } from './mail-commands.ts';
import { passwordsCommands } from './passwords-commands.ts';
import { referenceCommands } from './reference-commands.ts';
import { replicaCommands } from './replica-commands.ts';
import { signalsCommands } from './signals-commands.ts';
import { standingCommands } from './standing-commands.ts';
import { taxiiCommands } from './taxii-commands.ts';

/** `npm run admin -- key create …`. Returns the exit code; a failure is one sentence on stderr. */
export async function runAdmin(args: readonly string[], context: AdminContext): Promise<number> {
  const program = new Command('admin')
    .description('Administration of this deployment. Works directly on its PostgreSQL.')
    .showHelpAfterError(HELP_HINT)
    .exitOverride();
  const replica = replicaCommands({ ...context, movedDatesMs: () => movedDatesMs(context) });
  const commands = [
    ...accessCommands(context),
    ...feedsCommands(context),
    cveCommands(context),
    referenceCommands(context),
    passwordsCommands(context),
    listsCommands(context),
    signalsCommands(context),
    standingCommands(context),
    taxiiCommands(context),
    mailCommands(context),
    formsCommands(context),
    replica,
  ];
  for (const command of commands) program.addCommand(inherit(command));
  try {
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
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
