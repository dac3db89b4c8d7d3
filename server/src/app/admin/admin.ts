import { Command, CommanderError } from 'commander';
import { ConfigError } from '#platform/config.ts';
import { ServiceError } from '#platform/errors.ts';
import { isConflict, isPostgresAway, isReadOnlyRefusal } from '#platform/postgres.ts';
import { createActBook } from './act-book.ts';
import { type AdminContext, AdminError } from './context.ts';
import { TOPICS, type Topic } from './topics.ts';

/** `npm run admin -- key create …`. Returns the exit code; a failure is one sentence on stderr. */
export async function runAdmin(args: readonly string[], context: AdminContext): Promise<number> {
  const program = new Command('admin')
    .description('Administration of this deployment. Works directly on its PostgreSQL.')
    .showHelpAfterError(HELP_HINT)
    .exitOverride();
  for (const command of await commandsFor(args, context)) program.addCommand(inherit(command));
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

/** The commands of the topic that the arguments name, and those of all others by name and description alone. */
async function commandsFor(args: readonly string[], context: AdminContext): Promise<readonly Command[]> {
  const named = args[0] === 'help' ? args[1] : args[0];
  const isNamed = ({ commands }: Topic) => named !== undefined && Object.hasOwn(commands, named);
  const commands = await Promise.all(
    TOPICS.map(async (topic) => (isNamed(topic) ? await topic.load(context) : outlineOf(topic))),
  );
  return commands.flat();
}

const outlineOf = ({ commands }: Topic): readonly Command[] =>
  Object.entries(commands).map(([name, description]) => new Command(name).description(description));

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
  if ((error as { code?: unknown }).code === '53300')
    return 'PostgreSQL has no free connection. Run the command again, or raise max_connections in postgresql.conf and restart PostgreSQL.';
  if (isReadOnlyRefusal(error))
    return 'PostgreSQL accepts no changes right now: the server is a standby or set to read-only. What was committed before stays. Run the command again when a server accepts writes.';
  if (isConflict(error))
    return 'Another process changed the same data at the same moment, and PostgreSQL undid this change. Run the command again.';
  if (isPostgresAway(error))
    return 'PostgreSQL is not reachable where DATABASE_URL says, or did not answer in time. What was committed stays. Run the command again; on a busy machine raise POSTGRES_WAIT_FACTOR.';
  if ((error as { code?: unknown }).code === '42P01')
    return 'The database is not set up yet. Run: npm run migrate';
  return error instanceof Error ? error.message : String(error);
}
