import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { adminRun } from '#test/run-admin.ts';
import { NO_ACTS } from './act-book.ts';
import { TOPICS } from './topics.ts';

let database: TestDatabase;
let system: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
});
afterAll(async () => {
  await system?.close();
  await database?.drop();
});

const admin = (...args: readonly string[]) => adminRun({ DATABASE_URL: database.url }, args);
const acts = async () =>
  (
    await system.pool.query(
      'select operator, action, target, detail, outcome, reason from operator_act order by id',
    )
  ).rows as Record<string, unknown>[];
const leavesOf = (command: Command, path: string): readonly string[] =>
  command.commands.length === 0
    ? [path]
    : command.commands.flatMap((child) => leavesOf(child, `${path} ${child.name()}`));

const helpOf = (commands: readonly Command[]): string => {
  const program = new Command('admin');
  for (const command of commands) program.addCommand(command);
  return program.helpInformation();
};

test('the help of the whole program says of every command what its module says', async () => {
  const modules = (await Promise.all(TOPICS.map(({ load }) => load({} as never)))).flat();
  const outlines = TOPICS.flatMap(({ commands }) => Object.entries(commands)).map(([name, description]) =>
    new Command(name).description(description),
  );
  expect(modules.length).toBeGreaterThan(20);
  expect(helpOf(outlines)).toBe(helpOf(modules));
});

test('every command that changes something is an act, and a new one is until it is listed as none', async () => {
  const commands = await Promise.all(TOPICS.map(({ load }) => load({} as never)));
  const all = commands.flat().flatMap((command) => leavesOf(command, command.name()));
  expect([...NO_ACTS].filter((path) => !all.includes(path))).toEqual([]);
  expect(all.filter((path) => !NO_ACTS.has(path)).toSorted()).toEqual(RECORDED);
});

test('a command writes its act first and its outcome afterwards, by id and without addresses and names', async () => {
  await admin('user', 'create', '--email', 'ann@example.com');
  const made = await admin('plan', 'set', '--email', 'ann@example.com', '--plan', 'PRO', '--json');
  const { accountId } = made.documents[0] as { accountId: string };
  expect((await admin('plan', 'set', '--email', 'bob@example.com', '--plan', 'PRO')).code).toBe(1);
  expect((await admin('licence', 'revoke', 'lic_none')).code).toBe(1);
  expect((await admin('key', 'list')).code).toBe(0);
  expect((await admin('plan', 'set', '--plan', 'GOLD')).code).not.toBe(0);
  expect(await acts()).toEqual([
    {
      operator: 'admin',
      action: 'user.create',
      target: '',
      detail: { email: 'not recorded' },
      outcome: 'done',
      reason: null,
    },
    {
      operator: 'admin',
      action: 'plan.set',
      target: accountId,
      detail: { email: 'not recorded', plan: 'PRO' },
      outcome: 'done',
      reason: null,
    },
    {
      operator: 'admin',
      action: 'plan.set',
      target: '',
      detail: { email: 'not recorded', plan: 'PRO' },
      outcome: 'refused',
      reason: null,
    },
    {
      operator: 'admin',
      action: 'licence.revoke',
      target: 'lic_none',
      detail: {},
      outcome: 'refused',
      reason: expect.stringContaining('lic_none'),
    },
  ]);
});

test('the tokens of operators are recorded once, by their use case', async () => {
  const before = (await acts()).length;
  expect((await admin('operator', 'create', '--name', 'ann', '--cidr', '192.0.2.0/24')).code).toBe(0);
  expect((await acts()).slice(before)).toMatchObject([{ action: 'operator.create', outcome: 'done' }]);
});

const RECORDED: readonly string[] = [
  'cve import-manifest',
  'cve load',
  'datasets discard',
  'datasets release',
  'feeds add',
  'feeds disable',
  'feeds discard',
  'feeds enable',
  'feeds import',
  'feeds import-manifest',
  'feeds lineage',
  'feeds release',
  'feeds retire',
  'feeds rollback',
  'feeds run',
  'feeds submissions approve',
  'feeds submissions reject',
  'forms erase',
  'key create',
  'key revoke',
  'key rotate',
  'licence create',
  'licence revoke',
  'lists build',
  'lists release',
  'mail test',
  'mmdb build',
  'mmdb release',
  'notice add',
  'notice end',
  'org add-member',
  'org create',
  'org delete',
  'org invite',
  'org remove-member',
  'org require-factor',
  'org restore',
  'plan set',
  'ransomware confirm',
  'ransomware import-manifest',
  'ransomware load',
  'reference import-manifest',
  'reference load',
  'signals train',
  'standing follow',
  'standing walk',
  'taxii rebuild',
  'user create',
  'user delete',
  'user invite',
  'user reset-factors',
  'user restore',
  'user unlock',
  'weights learn',
  'weights release',
];
