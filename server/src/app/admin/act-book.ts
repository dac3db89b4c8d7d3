import type { Command, Option } from 'commander';
import type { End } from '#capabilities/operators/index.ts';
import { ServiceError } from '#platform/errors.ts';
import { accountOf, OPERATOR, onSystem } from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';

/** Commands that are not recorded, because they only read, or change only files of this node. All others are acts. */
export const NO_ACTS: ReadonlySet<string> = new Set([
  'cases verify',
  'cve quality',
  'cve status',
  'datasets decisions',
  'datasets list',
  'feeds catalogue',
  'feeds list',
  'feeds notice',
  'feeds quarantine',
  'feeds reliability',
  'feeds status',
  'feeds submissions list',
  'feeds suggest',
  'forms list',
  'forms show',
  'forms subscribers',
  'key list',
  'licence list',
  'lists status',
  'mail status',
  'mmdb status',
  'notice list',
  // Recorded by the use cases of operator tokens, in the same transaction as the token.
  'operator create',
  'operator list',
  'operator revoke',
  'passwords load',
  'passwords status',
  'passwords verify',
  'ransomware merges',
  'ransomware status',
  'reference list',
  'replica status',
  'signals list',
  'standing status',
  'standing verify',
  'taxii status',
  'weights list',
  'weights show',
]);

/** Options recorded with their values. Other values may be an e-mail address or a name, and acts are never deleted. */
const SHOWN: ReadonlySet<string> = new Set(['account', 'limits', 'date', 'expires', 'overlap', 'accept']);

const pathOf = (command: Command): string =>
  command.parent === null || command.parent.parent === null
    ? command.name()
    : `${pathOf(command.parent)} ${command.name()}`;

/** `feeds lineage` changes something only with --compute, `weights learn` nothing with --dry-run. */
const isAct = (command: Command): boolean =>
  !NO_ACTS.has(pathOf(command)) &&
  (pathOf(command) !== 'feeds lineage' || command.opts().compute === true) &&
  (pathOf(command) !== 'weights learn' || command.opts().dryRun !== true);

const isShown = (option: Option): boolean =>
  option.isBoolean() || option.argChoices !== undefined || SHOWN.has(option.attributeName());

/** The given options by name, with the value only where it cannot be an e-mail address, a name or free text. */
function detailOf(command: Command): Record<string, unknown> {
  const given = command.options.filter(
    (option) => command.getOptionValueSource(option.attributeName()) === 'cli' && option.long !== '--json',
  );
  return Object.fromEntries(
    given.map((option) => [
      option.attributeName(),
      isShown(option) ? command.opts()[option.attributeName()] : 'not recorded',
    ]),
  );
}

/** What the command acts on: its arguments (a key, a source, files), else the id of the account it names. */
async function targetOf(context: AdminContext, command: Command): Promise<string> {
  if (command.args.length > 0) return command.args.join(' ');
  const named = namedOf(command);
  if (named === null) return '';
  const { findAccount } = await import('#capabilities/access/index.ts');
  return (await onSystem(context, (deps) => findAccount(deps, named)).catch(() => undefined)) ?? '';
}

/** The account that the options name. Null for an invalid address, which the command itself refuses. */
function namedOf(command: Command) {
  try {
    return accountOf(command.opts());
  } catch {
    return null;
  }
}

export type ActBook = {
  readonly begin: (command: Command) => Promise<void>;
  /** `error`: what the command failed with; null when it succeeded. */
  readonly end: (error: unknown) => Promise<void>;
};

/** Loaded for commands that change something; the others start without it. */
const loadActs = () => import('#capabilities/operators/index.ts');

/** Records each command that changes something as an act, like routes of operators: first its row, then its outcome. */
export function createActBook(context: AdminContext): ActBook {
  let begun: string | null = null;
  return {
    begin: async (command) => {
      if (!isAct(command)) return;
      const deed = {
        action: pathOf(command).replaceAll(' ', '.'),
        target: await targetOf(context, command),
        detail: detailOf(command),
      };
      const { beginAct } = await loadActs();
      begun = await onSystem(context, ({ postgres: system, clock }) =>
        beginAct({ system, clock }, OPERATOR, deed),
      );
    },
    end: async (error) => {
      const id = begun;
      if (id === null) return;
      begun = null;
      const { DONE, endAct } = await loadActs();
      const end = error === null ? DONE : failureOf(error);
      const ended = onSystem(context, ({ postgres: system, clock }) => endAct({ system, clock }, id, end));
      await (error === null ? ended : ended.catch(() => undefined));
    },
  };
}

/** The outcome of an act that failed. Error messages may repeat an e-mail address or a name, which no act may hold. */
function failureOf(error: unknown): End {
  if (error instanceof AdminError) return { outcome: 'refused', reason: null };
  const words = String((error as Error).message).split(' ');
  const reason = words.map((word) => (word.includes('@') ? '…' : word)).join(' ');
  return { outcome: error instanceof ServiceError ? 'refused' : 'failed', reason };
}
