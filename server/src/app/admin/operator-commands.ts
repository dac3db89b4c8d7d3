import { Command, Option } from 'commander';
import {
  createOperator,
  listOperators,
  type OperatorRow,
  revokeOperator,
} from '#capabilities/operators/index.ts';
import {
  createNotice,
  endNotice,
  listNotices,
  NOTICE_SEVERITIES,
  type NoticeSeverity,
  noticeOf,
} from '#capabilities/status/index.ts';
import { type Json, OPERATOR, onSystem, print } from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';

/** Commands for tokens of operators, and for the notices that operators write on the status page. */
export const operatorCommands = (context: AdminContext): readonly Command[] => [
  operatorCommand(context),
  noticeCommand(context),
];

function operatorCommand(context: AdminContext): Command {
  const operator = new Command('operator').description("Tokens for the operators' listener (ADMIN_PORT).");
  operator
    .command('create')
    .description('Make a token. It is shown once.')
    .requiredOption('--name <name>', 'who it is for; stands in the audit trail')
    .requiredOption('--cidr <range...>', 'addresses the token works from')
    .option('--json', 'print one JSON document')
    .action((options: Json & { name: string; cidr: readonly string[] }) =>
      onSystem(context, async ({ postgres: system, clock }) => {
        const { name, cidr: cidrs } = options;
        const made = await createOperator({ system, clock }, { name, cidrs });
        print(context, options, { ...factsOf(made), token: made.token }, [
          `token      ${made.token}`,
          `header     Authorization: Bearer ${made.token}`,
          `operator   ${made.name} (${made.id})`,
          `works from ${made.allowedCidrs.join(', ')}`,
          'The token is shown only once.',
        ]);
      }),
    );
  operator
    .command('list')
    .description('Tokens that work, then those that were revoked.')
    .option('--json', 'print one JSON document')
    .action((options: Json) =>
      onSystem(context, async ({ postgres: system }) => {
        const operators = (await listOperators({ system })).map(factsOf);
        print(
          context,
          options,
          { operators },
          operators.length === 0
            ? ['There are no operators yet. Make one with: operator create --name NAME --cidr RANGE']
            : operators.map(lineOf),
        );
      }),
    );
  operator
    .command('revoke <name>')
    .description('End a token by its name or id.')
    .option('--json', 'print one JSON document')
    .action((name: string, options: Json) =>
      onSystem(context, async ({ postgres: system, clock }) => {
        const row = await revokeOperator({ system, clock }, name);
        print(context, options, factsOf(row), [`Revoked the token of ${row.name} (${row.id}).`]);
      }),
    );
  return operator;
}

const factsOf = (row: OperatorRow) => ({
  operatorId: row.id,
  name: row.name,
  allowedCidrs: row.allowedCidrs,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
});

const lineOf = ({
  operatorId,
  name,
  allowedCidrs,
  lastUsedAt,
  revokedAt,
}: ReturnType<typeof factsOf>): string =>
  `${name}  ${operatorId}  from ${allowedCidrs.join(', ')}  last used ${lastUsedAt ?? 'never'}${revokedAt === null ? '' : `  revoked ${revokedAt}`}`;

type NoticeFlags = Json & {
  readonly severity: NoticeSeverity;
  readonly title: string;
  readonly body: string;
  readonly starts?: string;
  readonly ends?: string;
};

function noticeCommand(context: AdminContext): Command {
  const notice = new Command('notice').description('What the public status page says beside its figures.');
  notice
    .command('add')
    .description('Say something on the status page.')
    .addOption(new Option('--severity <kind>').choices(NOTICE_SEVERITIES).default('info'))
    .requiredOption('--title <text>')
    .option('--body <text>', 'more words', '')
    .option('--starts <time>', 'RFC 3339 moment; default: now')
    .option('--ends <time>', 'RFC 3339 moment; default: until you end it')
    .option('--json', 'print one JSON document')
    .action((options: NoticeFlags) => addNotice(context, options));
  notice
    .command('list')
    .option('--json', 'print one JSON document')
    .action((options: Json) =>
      onSystem(context, async ({ postgres, clock }) => {
        const notices = (await listNotices({ postgres, clock })).map(noticeOf);
        print(
          context,
          options,
          { notices },
          notices.map(
            ({ id, severity, title, startsAt, endsAt }) =>
              `${id}  ${severity}  ${startsAt} to ${endsAt ?? 'open'}  ${title}`,
          ),
        );
      }),
    );
  notice
    .command('end <id>')
    .option('--json', 'print one JSON document')
    .action((id: string, options: Json) =>
      onSystem(context, async ({ postgres: system, clock }) => {
        const ended = noticeOf(await endNotice({ system, clock }, id));
        print(context, options, { notice: ended }, [`Ended ${id}.`]);
      }),
    );
  return notice;
}

const addNotice = (context: AdminContext, options: NoticeFlags): Promise<void> =>
  onSystem(context, async ({ postgres: system, clock }) => {
    const { severity, title, body } = options;
    if (title.length > 200 || body.length > 2_000)
      throw new AdminError('A title has at most 200 characters, a body at most 2,000.');
    const times = { startsAtMs: moment(options.starts), endsAtMs: moment(options.ends) };
    const made = noticeOf(
      await createNotice({ system, clock }, OPERATOR.id, { severity, title, body, ...times }),
    );
    print(context, options, { notice: made }, [`Notice ${made.id}. End it with: notice end ${made.id}`]);
  });

function moment(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new AdminError(`'${text}' is not a moment such as 2030-01-01T00:00:00Z.`);
  return ms;
}
