import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '#capabilities/access/index.ts';
import { systemClock } from '#platform/clock.ts';
import { sql } from '#platform/postgres.ts';
import { OPERATOR } from '#test/access.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { bySize } from '#test/lane.ts';
import { keepResult } from '#test/proof-results.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';
import { createHasher } from '../../src/capabilities/accounts/hash-password.ts';

const run = promisify(execFile);
const COMMAND = join(import.meta.dirname, '../../../attack/main.ts');
const ATTACKS = 13;
/** Strength 1 is ten times the strength at which an attack once worked. */
const STRENGTH = bySize('0.05', '1');
const PASSWORD = 'a sentence of ten words';

let database: TestDatabase;
let service: Service;
let accounts: ServiceAccounts;
let bystander: string;
let attacker: string;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({
    databaseUrl: database.url,
    env: { SHED_DELAY_FACTOR: bySize('100', '1') },
  });
  accounts = openAccounts(service);
  bystander = (await accounts.newAccount('bystander@example.com', { plan: 'ENTERPRISE' })).credential;
  attacker = (await accounts.newAccount('attacker@example.com', { plan: 'FREE' })).credential;
  const person = await createUser(
    { postgres: accounts.system, clock: systemClock() },
    OPERATOR,
    'person@example.com',
  );
  const turn = { lane: 'open', group: 'test', signal: new AbortController().signal } as const;
  const phc = await createHasher(systemClock()).hash(PASSWORD, turn);
  await sql`insert into user_password (user_id, phc, changed_at) values (${person}, ${phc}, now())`.execute(
    accounts.system.db,
  );
});
afterAll(async () => {
  await accounts?.close();
  await service?.stop();
  await database?.drop();
});

const attack = (...args: string[]) =>
  run(process.execPath, [COMMAND, '--url', service.url, ...args], {
    env: { ...process.env, BYSTANDER_LOGIN: `person@example.com:${PASSWORD}` },
    maxBuffer: 1_048_576,
  });

test('npm run attack: every attack on a whole service holds, and the caller beside it is always answered', async () => {
  const given = ['--bystander', bystander, '--attacker', attacker, '--strength', STRENGTH];
  // An attack that works ends the command with an error, and only its output says which one it was.
  const { stdout } = await attack(...given).catch((error: { readonly stdout: string }) => error);
  let name = '';
  for (const line of stdout.split('\n')) {
    const [, figure, value] = /^ {2}(\w.*?) +([\d.]+)$/.exec(line) ?? [];
    if (figure === undefined) name = line.split(' ')[0] ?? '';
    else keepResult(name, { [figure.replaceAll(' ', '-')]: Number(value) });
  }
  expect(stdout).toContain(`${ATTACKS} of ${ATTACKS} attacks held`);
});

test.each([
  ['without keys', [], /Send the keys of two callers/],
  [
    'on a service elsewhere',
    ['--url', 'http://192.0.2.1/', '--bystander', 'a', '--attacker', 'b'],
    /not on this machine/,
  ],
  [
    'with an unknown attack',
    ['--bystander', 'a', '--attacker', 'b', '--only', 'rain'],
    /There is no attack 'rain'/,
  ],
])('npm run attack %s is refused with a sentence', async (_, args, says) => {
  await expect(attack(...args)).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(says) });
});

test('a caller beside the attacks that its own plan would refuse is named', async () => {
  await expect(attack('--bystander', attacker, '--attacker', attacker)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/may make 60 calls a minute and needs 1000/),
  });
});
