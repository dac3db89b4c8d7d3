import { Command, Option } from 'commander';
import {
  createLicence,
  LimitOverrides,
  listActiveLicences,
  type PlanChange,
  revokeLicence,
  setPlan,
} from '#capabilities/access/index.ts';
import {
  BILLINGS,
  type Billing,
  PLANS,
  type Plan,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from '#domain/plans/plans.ts';
import {
  type Account,
  accountNamed,
  type Json,
  OPERATOR,
  onSystem,
  print,
  withAccountOptions,
} from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';

export type PlanOptions = {
  readonly plan?: Plan;
  readonly billing?: Billing;
  readonly status?: SubscriptionStatus;
  readonly limits?: string;
};

export const planCommands = (context: AdminContext): Command[] => [
  planCommand(context),
  licenceCommand(context),
];

function planCommand(context: AdminContext): Command {
  const plan = new Command('plan').description('Subscriptions.');
  withAccountOptions(
    plan
      .command('set')
      .description('Change the plan, billing, status or limits of an account; options not given stay.'),
  )
    .addOption(new Option('--plan <plan>').choices(PLANS))
    .addOption(new Option('--billing <period>').choices(BILLINGS))
    .addOption(new Option('--status <status>').choices(SUBSCRIPTION_STATUSES))
    .option('--limits <json>', "figures instead of the plan's; {} takes them away")
    .option('--json', 'print one JSON document')
    .action((options: Account & PlanOptions & Json) =>
      onSystem(context, async (deps) => {
        const change = planChange(options);
        if (Object.keys(change).length === 0)
          throw new AdminError('Say what to change: --plan, --billing, --status or --limits.');
        const accountId = await accountNamed(deps, options);
        const now = await setPlan(deps, OPERATOR, accountId, change);
        print(context, options, { accountId, ...now }, [
          `${accountId}: ${now.plan}, ${now.status}, limits ${JSON.stringify(now.limits)}.`,
        ]);
      }),
    );
  return plan;
}

export function planChange(options: PlanOptions): PlanChange {
  return {
    ...(options.plan !== undefined && { plan: options.plan }),
    ...(options.billing !== undefined && { billing: options.billing }),
    ...(options.status !== undefined && { status: options.status }),
    ...(options.limits !== undefined && { limits: limitsFrom(options.limits) }),
  };
}

function limitsFrom(text: string): NonNullable<PlanChange['limits']> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AdminError(`--limits is not JSON: ${text}`);
  }
  const parsed = LimitOverrides.safeParse(value);
  if (!parsed.success)
    throw new AdminError(
      `--limits: ${parsed.error.issues.map((issue) => [...issue.path, issue.message].join(' ')).join('; ')}`,
    );
  return Object.fromEntries(Object.entries(parsed.data).filter(([, figure]) => figure !== undefined));
}

function licenceCommand(context: AdminContext): Command {
  const licence = new Command('licence').description('Licence keys for X-License-Key.');
  withAccountOptions(licence.command('create').description('Make a licence key. It is shown once.'))
    .option('--label <text>', 'what it is for', '')
    .option('--expires <time>', 'RFC 3339 moment at which it ends')
    .option('--json', 'print one JSON document')
    .action((options: Account & Json & { label: string; expires?: string }) =>
      onSystem(context, async (deps) => {
        const expiresAtMs = options.expires === undefined ? null : moment(options.expires);
        const accountId = await accountNamed(deps, options);
        const made = await createLicence(deps, OPERATOR, { accountId, label: options.label, expiresAtMs });
        const document = {
          licenceId: made.id,
          licence: made.licence,
          accountId,
          expiresAt: made.expiresAt?.toISOString() ?? null,
        };
        print(context, options, document, [
          `licence    ${made.licence}`,
          `licenceId  ${made.id}`,
          'It is shown only once.',
        ]);
      }),
    );
  licence
    .command('list')
    .option('--json', 'print one JSON document')
    .action((options: Json) =>
      onSystem(context, async (deps) => {
        const licences = (await listActiveLicences(deps)).map((row) => ({
          licenceId: row.id,
          accountId: row.accountId,
          label: row.label,
          expiresAt: row.expiresAt?.toISOString() ?? null,
        }));
        print(
          context,
          options,
          { licences },
          licences.map((row) =>
            `${row.licenceId}  ${row.accountId}  expires ${row.expiresAt ?? 'never'}  ${row.label}`.trimEnd(),
          ),
        );
      }),
    );
  licence
    .command('revoke <id>')
    .option('--json', 'print one JSON document')
    .action((id: string, options: Json) =>
      onSystem(context, async (deps) => {
        await revokeLicence(deps, OPERATOR, id);
        print(context, options, { licenceId: id, revoked: true }, [`Revoked ${id}.`]);
      }),
    );
  return licence;
}

function moment(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new AdminError(`'${text}' is not a moment such as 2030-01-01T00:00:00Z.`);
  return ms;
}
