import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refuseUnmigrated } from '#app/refuse-unmigrated.ts';
import { loadConfig } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';
import { BATCH_LIMITS, connectPostgres } from '#platform/postgres.ts';
import { assertRestricted } from '#platform/restricted-login.ts';
import { loginProblems, loginsOf, makeLogins, scramVerifier } from '#platform/service-logins.ts';
import { MAIN } from '#test/main-file.ts';
import { type PostgresServer, startPostgresServer } from '#test/postgres-server.ts';
import { INHERITED_ENV } from '#test/service.ts';

/** A start takes seconds of CPU, which a busy machine may stretch to minutes; two of them fit into one test. */
const COMMAND_MAX_MS = 110_000;
const PASSWORDS = { owner: 'owner-password', app: "app'pass\\word", system: 'system-password' } as const;

let server: PostgresServer;
let logins: Record<'MIGRATE_DATABASE_URL' | 'DATABASE_URL' | 'SYSTEM_DATABASE_URL', string>;
const dir = mkdtempSync(join(tmpdir(), 'assay-logins-'));

const as = (user: string, password: string): string => {
  const url = new URL(server.url('assay'));
  url.username = user;
  url.password = encodeURIComponent(password);
  return url.href;
};
async function onServer<T extends object>(url: string, ...statements: string[]): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: T[] = [];
    for (const statement of statements) ({ rows } = await client.query<T>(statement));
    return rows;
  } finally {
    await client.end();
  }
}
const asSuperuser = (...statements: string[]) => onServer(server.url('assay'), ...statements);

/** Runs one command of the service to its end and returns what it printed. */
async function runMain(command: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [MAIN, command], {
    env: {
      ...INHERITED_ENV,
      ASSAY_ENV: 'test',
      LOG_LEVEL: 'error',
      DATA_DIR: dir,
      METRICS_PORT: '0',
      HTTP_PORT: '0',
      ...env,
    },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const late = setTimeout(() => child.kill('SIGKILL'), COMMAND_MAX_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  return { code, printed };
}

beforeAll(async () => {
  server = await startPostgresServer({ password: 'superuser-password' });
  // The owner is no superuser: it may create roles and databases and nothing else.
  await onServer(
    server.url('postgres'),
    `create role assay_owner login createrole createdb password '${PASSWORDS.owner}'`,
  );
  logins = {
    MIGRATE_DATABASE_URL: as('assay_owner', PASSWORDS.owner),
    DATABASE_URL: as('assay_app_login', PASSWORDS.app),
    SYSTEM_DATABASE_URL: as('assay_system_login', PASSWORDS.system),
  };
});
afterAll(async () => {
  await server?.stop();
  rmSync(dir, { recursive: true, force: true });
});

describe('migrate checks every setting before it changes anything', () => {
  const hasDatabase = async () =>
    (await onServer(server.url('postgres'), "select 1 from pg_database where datname = 'assay'")).length > 0;

  test('passwords that are too short: both are named, and neither the database nor a role is made', async () => {
    const { code, printed } = await runMain('migrate', {
      ...logins,
      DATABASE_URL: as('assay_app_login', 'short'),
      SYSTEM_DATABASE_URL: as('assay_system_login', 'tiny'),
    });
    expect(printed).toContain('Nothing was changed. Correct this first:');
    expect(printed).toContain("✖ The password of login 'assay_app_login' must have at least 12");
    expect(printed).toContain("✖ The password of login 'assay_system_login' must have at least 12");
    expect(code).toBe(1);
    expect(await hasDatabase()).toBe(false);
    expect(
      await onServer(
        server.url('postgres'),
        "select 1 from pg_roles where rolname like 'assay_%' and rolname <> 'assay_owner'",
      ),
    ).toEqual([]);
  });

  test('a login that nobody creates, and an owner that may not create roles', async () => {
    const owner = logins.MIGRATE_DATABASE_URL;
    const system = as('assay_sys', 'long-enough-password');
    expect(await loginProblems(owner, { DATABASE_URL: owner, SYSTEM_DATABASE_URL: system }, [])).toEqual([
      "The login 'assay_sys' of SYSTEM_DATABASE_URL does not exist. Set MIGRATE_DATABASE_URL to the login of the owner, so that migrate creates it.",
    ]);
    await onServer(server.url('postgres'), 'alter role assay_owner nocreaterole');
    const [problem, ...more] = await loginProblems(owner, logins, loginsOf(logins));
    await onServer(server.url('postgres'), 'alter role assay_owner createrole');
    expect(problem).toContain(
      "'assay_owner' may not create roles, and these are missing: assay_app, assay_system, assay_app_login",
    );
    expect(more).toEqual([]);
    expect(await loginProblems(owner, logins, loginsOf(logins))).toEqual([]);
  });

  test('a start with a login that does not exist says which setting names it', async () => {
    const config = loadConfig({ ...logins, SYSTEM_DATABASE_URL: as('assay_sys', 'long-enough-password') });
    await expect(refuseUnmigrated(config, createLog('silent'))).rejects.toThrow(
      /refuses the login 'assay_sys' of SYSTEM_DATABASE_URL\. Correct its name/,
    );
  });
});

describe('migrate makes the logins of the service (foundation rule 2)', () => {
  test('two logins with the passwords of the operator, from a variable or a file', async () => {
    const file = join(dir, 'system-url');
    writeFileSync(file, `${logins.SYSTEM_DATABASE_URL}\n`);
    const { SYSTEM_DATABASE_URL: _, ...rest } = logins;
    const { code, printed } = await runMain('migrate', { ...rest, SYSTEM_DATABASE_URL_FILE: file });
    expect(printed).toMatch(
      /^Assay \d+\.\d+\.\d+\. Settings that differ from their defaults: .*MIGRATE_DATABASE_URL=postgres:\/\//,
    );
    expect(printed).toContain('Login assay_app_login may become assay_app.');
    expect(printed).toContain('Login assay_system_login may become assay_system.');
    expect(code).toBe(0);
    for (const password of Object.values(PASSWORDS)) expect(printed).not.toContain(password);
    for (const url of [logins.DATABASE_URL, logins.SYSTEM_DATABASE_URL])
      expect(await onServer(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('`set role none` ends in a login without any right', async () => {
    for (const url of [logins.DATABASE_URL, logins.SYSTEM_DATABASE_URL])
      for (const statement of ['select * from api_key', 'create table mine ()', 'set role assay_owner'])
        await expect(onServer(url, 'set role none', statement)).rejects.toThrow(/permission denied/);
  });

  test('the login of callers cannot become the role that works across accounts', async () => {
    await expect(onServer(logins.DATABASE_URL, 'set role assay_system')).rejects.toThrow(/permission denied/);
  });

  test('a second migrate sets a changed password', async () => {
    const changed = as('assay_app_login', 'changed-password');
    await makeLogins(logins.MIGRATE_DATABASE_URL, loginsOf({ ...logins, DATABASE_URL: changed }));
    expect(await onServer(changed, 'select 1 as one')).toHaveLength(1);
    await expect(onServer(logins.DATABASE_URL, 'select 1')).rejects.toThrow(/password authentication failed/);
    await makeLogins(logins.MIGRATE_DATABASE_URL, loginsOf(logins));
  });

  test('the password itself is not sent, so a log of statements cannot hold it', () => {
    const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
    // The example of RFC 7677: user "user", password "pencil".
    const verifier = scramVerifier('pencil', salt);
    expect(verifier).toMatch(/^SCRAM-SHA-256\$4096:W22ZaJ0SNY7soEsUEjb6gQ==\$/);
    expect(verifier).toContain('WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=');
  });

  test('one login may serve both roles; a short password and the login of the owner are refused', async () => {
    const both = as('assay_login', 'password-for-both');
    expect(loginsOf({ DATABASE_URL: both, SYSTEM_DATABASE_URL: undefined })).toEqual([
      { name: 'assay_login', password: 'password-for-both', roles: ['assay_app', 'assay_system'] },
    ]);
    const make = (user: string, password: string) =>
      makeLogins(logins.MIGRATE_DATABASE_URL, loginsOf({ ...logins, DATABASE_URL: as(user, password) }));
    await expect(make('assay_app_login', 'short')).rejects.toThrow(/at least 12/);
    await expect(make('assay_owner', PASSWORDS.owner)).rejects.toThrow(/login of its own/);
  });
});

/** That the API and the worker do all of their work over these logins is shown by acknowledged-writes.test.ts. */
describe('a login that could become more stops the start', () => {
  const asked = async (urls: Partial<typeof logins> = {}, isAllowed = false): Promise<void> => {
    const config = { ...logins, ...urls, POSTGRES_POOL_MAX: 1, ALLOW_POWERFUL_LOGIN: isAllowed };
    const postgres = connectPostgres(config, 'assay_app', BATCH_LIMITS);
    await assertRestricted(postgres, config).finally(postgres.close);
  };

  test('of the API and of the worker: a superuser, although its connections take the role', async () => {
    const powerful = server.url('assay');
    const reported = { LOG_LEVEL: 'info', REGISTRATION: 'closed', UNUSED_SETTINGS: 'DATA_DIR ' };
    const api = await runMain('api', { ...logins, ...reported, DATABASE_URL: powerful });
    expect(api.printed).toMatch(/login 'postgres' is a superuser/);
    expect(api.code).toBe(1);
    const worker = await runMain('worker', { ...logins, ...reported, SYSTEM_DATABASE_URL: powerful });
    expect(worker.printed).toMatch(/login 'postgres' is a superuser/);
    expect(worker.code).toBe(1);
    for (const { printed } of [api, worker]) {
      const [first = '', second = ''] = printed.split('\n');
      expect(JSON.parse(first)).toMatchObject({ settings: { REGISTRATION: 'closed' } });
      expect(second).toContain('DATA_DIR has no effect. The data folder is a volume');
      for (const password of [...Object.values(PASSWORDS), 'superuser-password'])
        expect(printed).not.toContain(password);
    }
  });

  test('the logins that migrate made are accepted; a powerful one only by the exception for development', async () => {
    await asked();
    await expect(asked({ DATABASE_URL: server.url('assay') })).rejects.toThrow(/is a superuser/);
    await asked({ DATABASE_URL: server.url('assay') }, true);
  });

  test.each([
    ['alter role assay_app_login createrole', 'alter role assay_app_login nocreaterole', /can create roles/],
    ['alter role assay_app_login bypassrls', 'alter role assay_app_login nobypassrls', /has BYPASSRLS/],
    ['alter role assay_app_login replication', 'alter role assay_app_login noreplication', /can replicate/],
    ['create role auditor; grant auditor to assay_app_login', 'drop role auditor', /can become 'auditor'/],
    [
      'create role bridge; create role far bypassrls; grant far to bridge; grant bridge to assay_app_login',
      'drop role bridge; drop role far',
      /can become 'bridge'/,
    ],
    [
      'grant assay_system to assay_app_login',
      'revoke assay_system from assay_app_login',
      /can become 'assay_system'/,
    ],
    [
      'grant pg_write_server_files to assay_app_login',
      'revoke pg_write_server_files from assay_app_login',
      /can become 'pg_write_server_files'/,
    ],
    ['create table owned (); alter table owned owner to assay_app_login', 'drop table owned', /owns tables/],
    [
      'alter database assay owner to assay_app_login',
      'alter database assay owner to assay_owner',
      /owns tables, functions, a schema or the database/,
    ],
  ])('%s', async (grant, revoke, reason) => {
    await asSuperuser(grant);
    try {
      await expect(asked()).rejects.toThrow(reason);
    } finally {
      await asSuperuser(revoke);
    }
    await asked();
  });
});
