import { Command, Option } from 'commander';
import {
  createKey,
  createUser,
  ensureMembership,
  ensureOrganization,
  findKey,
  type KeyRow,
  listKeysOf,
  normalizeCidr,
  putMembership,
  type RevealedKey,
  type Role,
  removeMembership,
  revokeKey,
  rotateKey,
  setPlan,
} from '#capabilities/access/index.ts';
import { invitePerson } from '#capabilities/accounts/index.ts';
import { BILLINGS, PLANS } from '#domain/plans/plans.ts';
import { DAY_S } from '#platform/time-units.ts';
import {
  type Account,
  accountNamed,
  accountOf,
  type Deps,
  emailOf,
  type Json,
  OPERATOR,
  onSystem,
  print,
  withAccountOptions,
} from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';
import { addRequireFactor, addResetFactors } from './factor-commands.ts';
import { addOrganizationCommands, addPersonCommands } from './organization-commands.ts';
import { type PlanOptions, planChange, planCommands } from './plan-commands.ts';
import { addUnlock } from './unlock-command.ts';

const ROLES: readonly Role[] = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'];
const LABEL_CHARS_MAX = 100;
const LISTED_MAX = 1_000;
const SECONDS_MAX = DAY_S;

/** The plan of accounts that an operator creates. On one's own service plans are an option (decisions O85). */
const OPERATORS_PLAN = 'ENTERPRISE';

const planOption = () =>
  new Option(
    '--plan <plan>',
    `plan of the account; default: ${OPERATORS_PLAN}, or the plan that the account already has`,
  ).choices(PLANS);

/** Accounts, keys, plans and licences on the command line, across accounts (foundation rule 2). */
export const accessCommands = (context: AdminContext): Command[] => [
  keyCommand(context),
  userCommand(context),
  orgCommand(context),
  ...planCommands(context),
];

function keyCommand(context: AdminContext): Command {
  const key = new Command('key').description('API key pairs.');
  key
    .command('create')
    .description('Make a key pair, and the user, organization and subscription it needs.')
    .requiredOption('--email <address>', 'user who will own the key')
    .option('--org <name>', 'organization that pays; without it the user does')
    .addOption(planOption())
    .addOption(new Option('--billing <period>', 'how it is billed').choices(BILLINGS))
    .option('--limits <json>', 'figures instead of the plan\'s, such as {"checksPerMonth":5}')
    .option('--label <text>', 'what the key is for', '')
    .option('--cidr <range...>', 'addresses the key may be used from')
    .option('--no-sign-in', 'the pair cannot open a session of the dashboard')
    .option('--json', 'print one JSON document')
    .action((options: KeyCreateOptions) => createKeyPair(context, options));
  withAccountOptions(key.command('list').description('Active keys, newest first.'))
    .option('--json', 'print one JSON document')
    .action((options: Account & Json) => listKeyPairs(context, options));
  key
    .command('revoke <key>')
    .description('Revoke a key by its id or apiKey, and the keys made in its sessions.')
    .option('--keep-descendants', 'keep the keys made in its sessions')
    .option('--json', 'print one JSON document')
    .action((name: string, options: Json & { keepDescendants?: true }) =>
      onSystem(context, async (deps) => {
        const found = await keyNamed(deps, name);
        const scope = { accountId: found.accountId, userId: null };
        const keepsDescendants = options.keepDescendants === true;
        await revokeKey(deps, OPERATOR, scope, found.id, { keepsDescendants });
        print(context, options, { keyId: found.id, apiKey: found.apiKey, revoked: true }, [
          `Revoked ${found.id} (${found.apiKey}).`,
        ]);
      }),
    );
  key
    .command('rotate <key>')
    .description('Give a key a new secret, by its id or apiKey.')
    .option('--overlap <seconds>', 'how long the old secret is still accepted', String(SECONDS_MAX))
    .option('--json', 'print one JSON document')
    .action((name: string, options: Json & { overlap: string }) =>
      onSystem(context, async (deps) => {
        const overlapMs = seconds(options.overlap) * 1_000;
        const found = await keyNamed(deps, name);
        const scope = { accountId: found.accountId, userId: null };
        const rotated = await rotateKey(deps, OPERATOR, scope, found.id, overlapMs);
        printRevealed(context, options, rotated, {
          previousSecretValidUntil: rotated.previousValidUntil?.toISOString() ?? null,
        });
      }),
    );
  return key;
}

type KeyCreateOptions = Json &
  PlanOptions & { email: string; org?: string; label: string; cidr?: readonly string[]; signIn: boolean };

const createKeyPair = (context: AdminContext, options: KeyCreateOptions): Promise<void> =>
  onSystem(context, async (deps) => {
    // All options are checked before anything is created.
    const change = planChange(options);
    const label = labelOf(options.label);
    const allowedCidrs = (options.cidr ?? []).map(cidrOf);
    const userId = await createUser(deps, OPERATOR, emailOf(options.email));
    const organizationId =
      options.org === undefined ? null : await ensureOrganization(deps, OPERATOR, nameOf(options.org));
    const accountId = organizationId ?? userId;
    if (organizationId !== null) await ensureMembership(deps, OPERATOR, organizationId, userId);
    // `setPlan` is called even without a change, because it returns the account's plan and creates it when absent.
    const { plan } = await setPlan(deps, OPERATOR, accountId, change, OPERATORS_PLAN);
    const wanted = { accountId, userId, label, allowedCidrs, canSignIn: options.signIn };
    const key = await createKey(deps, OPERATOR, wanted);
    printRevealed(context, options, key, { plan, organizationId });
  });

const listKeyPairs = (context: AdminContext, options: Account & Json): Promise<void> =>
  onSystem(context, async (deps) => {
    const isNamed = Object.values(accountOf(options)).some((value) => value !== undefined);
    const accountId = isNamed ? await accountNamed(deps, options) : null;
    const keys = await listKeysOf(deps, accountId, LISTED_MAX);
    const document = { keys: keys.map(keyFacts) };
    print(context, options, document, keys.map(keyLine));
  });

async function keyNamed(deps: Deps, name: string): Promise<KeyRow> {
  const found = await findKey(deps, name);
  if (found === undefined) throw new AdminError(`There is no active key '${name}'.`);
  return found;
}

const keyFacts = (key: KeyRow) => ({
  keyId: key.id,
  apiKey: key.apiKey,
  accountId: key.accountId,
  userId: key.userId,
  label: key.label,
  allowedCidrs: key.allowedCidrs,
  parentId: key.parentId,
  canSignIn: key.canSignIn,
  createdAt: key.createdAt.toISOString(),
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
});

const keyLine = (key: KeyRow): string =>
  [key.id, key.apiKey, key.accountId, `last used ${key.lastUsedAt?.toISOString() ?? 'never'}`, key.label]
    .join('  ')
    .trimEnd();

function printRevealed(context: AdminContext, options: Json, key: RevealedKey, more: object): void {
  const document = { ...keyFacts(key), apiSecret: key.apiSecret, header: key.credential, ...more };
  print(context, options, document, [
    `apiKey     ${key.apiKey}`,
    `apiSecret  ${key.apiSecret}`,
    `header     X-API-KEY: ${key.credential}`,
    `keyId      ${key.id}`,
    `account    ${key.accountId}`,
    ...Object.entries(more).flatMap(([name, value]) =>
      value === null ? [] : [`${name.padEnd(10)} ${value}`],
    ),
    'The secret is shown only once.',
  ]);
}

function userCommand(context: AdminContext): Command {
  const user = new Command('user').description('Users.');
  user
    .command('create')
    .description('Make a user, or find the one with that address.')
    .requiredOption('--email <address>')
    .option('--json', 'print one JSON document')
    .action((options: Json & { email: string }) =>
      onSystem(context, async (deps) => {
        const userId = await createUser(deps, OPERATOR, emailOf(options.email));
        print(context, options, { userId, accountId: userId }, [`User ${userId}.`]);
      }),
    );
  user
    .command('invite')
    .description('Print a link, good for one use, with which a person sets a password. Makes the user.')
    .requiredOption('--email <address>')
    .addOption(planOption())
    .option('--json', 'print one JSON document')
    .action((options: Json & Pick<PlanOptions, 'plan'> & { email: string }) =>
      onSystem(context, async (deps) => {
        const publicWebUrl = context.config.PUBLIC_WEB_URL;
        const invited = await invitePerson({ ...deps, publicWebUrl }, OPERATOR, emailOf(options.email));
        const { userId, link } = invited;
        const { plan } = await setPlan(deps, OPERATOR, userId, planChange(options), OPERATORS_PLAN);
        const expiresAt = new Date(invited.expiresAtMs).toISOString();
        print(context, options, { userId, plan, link, expiresAt }, [
          link,
          `It works once, until ${expiresAt}. Hand it to the person over a safe way.`,
        ]);
      }),
    );
  addResetFactors(user, context);
  addUnlock(user, context);
  addPersonCommands(user, context);
  return user;
}

function orgCommand(context: AdminContext): Command {
  const org = new Command('org').description('Organizations.');
  org
    .command('create')
    .description('Make an organization, or find the only one with that name or id.')
    .requiredOption('--name <name>')
    .addOption(planOption())
    .option('--json', 'print one JSON document')
    .action((options: Json & Pick<PlanOptions, 'plan'> & { name: string }) =>
      onSystem(context, async (deps) => {
        const organizationId = await ensureOrganization(deps, OPERATOR, nameOf(options.name));
        const { plan } = await setPlan(deps, OPERATOR, organizationId, planChange(options), OPERATORS_PLAN);
        print(context, options, { organizationId, accountId: organizationId, plan }, [
          `Organization ${organizationId}, plan ${plan}.`,
        ]);
      }),
    );
  const member = (command: Command) =>
    command.requiredOption('--org <name>', 'name or id').requiredOption('--email <address>').option('--json');
  member(org.command('add-member').description('Add a member, or change their role.'))
    .addOption(new Option('--role <role>').choices(ROLES).default('MEMBER'))
    .action((options: Json & { org: string; email: string; role: Role }) =>
      onSystem(context, async (deps) => {
        const organizationId = await accountNamed(deps, { org: options.org });
        const userId = await createUser(deps, OPERATOR, emailOf(options.email));
        await putMembership(deps, OPERATOR, organizationId, userId, options.role);
        print(context, options, { organizationId, userId, role: options.role }, [
          `${userId} is ${options.role} of ${organizationId}.`,
        ]);
      }),
    );
  member(
    org.command('remove-member').description('Remove a member; their keys of the organization stop working.'),
  ).action((options: Json & { org: string; email: string }) =>
    onSystem(context, async (deps) => {
      const organizationId = await accountNamed(deps, { org: options.org });
      const userId = await accountNamed(deps, { email: options.email });
      await removeMembership(deps, OPERATOR, organizationId, userId);
      print(context, options, { organizationId, userId, removed: true }, [
        `${userId} left ${organizationId}.`,
      ]);
    }),
  );
  addRequireFactor(org, context);
  addOrganizationCommands(org, context);
  return org;
}

function nameOf(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 100)
    throw new AdminError('The name of an organization has 1 to 100 characters.');
  return name;
}

function labelOf(text: string): string {
  if (text.length > LABEL_CHARS_MAX)
    throw new AdminError(`--label has at most ${LABEL_CHARS_MAX} characters.`);
  return text;
}

function cidrOf(text: string): string {
  const cidr = normalizeCidr(text);
  if (cidr === null) throw new AdminError(`'${text}' is not an address or range such as 203.0.113.0/24.`);
  return cidr;
}

function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > SECONDS_MAX)
    throw new AdminError(`--overlap must be 0 to ${SECONDS_MAX} seconds.`);
  return value;
}
