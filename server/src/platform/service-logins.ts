import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Config } from './config.ts';
import { loginUrlOf, ROLES, type Role } from './postgres.ts';
import { sharedPartsOf } from './postgres-hosts.ts';

/** What PostgreSQL itself uses (scram_iterations). */
const SCRAM_ITERATIONS = 4_096;
const SALT_BYTES = 16;
const PASSWORD_CHARS_MIN = 12;

export type ServiceLogin = {
  readonly name: string;
  readonly password: string;
  readonly roles: readonly Role[];
};

/** The logins of the service's connection strings with the roles they serve: one for each role, or one for both. */
export function loginsOf(config: Pick<Config, 'DATABASE_URL' | 'SYSTEM_DATABASE_URL'>): ServiceLogin[] {
  const logins = new Map<string, ServiceLogin>();
  for (const role of ROLES) {
    const url = sharedPartsOf(loginUrlOf(config, role));
    const name = decodeURIComponent(url.username);
    const roles = [...(logins.get(name)?.roles ?? []), role];
    logins.set(name, { name, password: decodeURIComponent(url.password), roles });
  }
  return [...logins.values()];
}

/**
 * Every reason why `migrate` could not finish, before it changes anything. `makes` are the logins that it creates; a login
 * of the connection strings that it does not create has to exist.
 */
export async function loginProblems(
  ownerUrl: string,
  config: Pick<Config, 'DATABASE_URL' | 'SYSTEM_DATABASE_URL'>,
  makes: readonly ServiceLogin[],
): Promise<readonly string[]> {
  const written = makes.flatMap((login) => problemOf(login, ownerUrl) ?? []);
  const server = new URL(ownerUrl);
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.href, application_name: 'assay_migrate' });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; isOwner: boolean; creates: boolean }>(
      `select rolname as name, rolname = current_user as "isOwner", rolsuper or rolcreaterole as creates
         from pg_roles where rolname = current_user or rolname = any($1)`,
      [[...ROLES, ...loginsOf(config).map(({ name }) => name)]],
    );
    const known = new Set(rows.map(({ name }) => name));
    const mayCreate = rows.some(({ isOwner, creates }) => isOwner && creates);
    const made = [...ROLES, ...makes.map(({ name }) => name)].filter((name) => !known.has(name));
    const missing = loginsOf(config).filter(
      ({ name }) => name !== '' && !known.has(name) && !makes.some((login) => login.name === name),
    );
    return [
      ...written,
      ...(made.length > 0 && !mayCreate
        ? [
            `The login '${decodeURIComponent(server.username)}' may not create roles, and these are missing: ${made.join(', ')}. Allow it with: alter role ${decodeURIComponent(server.username)} createrole.`,
          ]
        : []),
      ...missing.map(
        ({ name, roles }) =>
          `The login '${name}' of ${roles.includes('assay_app') ? 'DATABASE_URL' : 'SYSTEM_DATABASE_URL'} does not exist. Set MIGRATE_DATABASE_URL to the login of the owner, so that migrate creates it.`,
      ),
    ];
  } finally {
    await client.end();
  }
}

/**
 * Makes the logins of the service, or sets their passwords. A login owns nothing, inherits nothing and may become its
 * roles only. The caller becomes a member of each, because its functions end the connections of dead workers.
 */
export async function makeLogins(ownerUrl: string, logins: readonly ServiceLogin[]): Promise<void> {
  for (const login of logins) {
    const problem = problemOf(login, ownerUrl);
    if (problem !== null) throw new Error(problem);
  }
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'assay_migrate' });
  await client.connect();
  try {
    for (const login of logins) await makeLogin(client, login);
  } finally {
    await client.end();
  }
}

function problemOf({ name, password }: ServiceLogin, ownerUrl: string): string | null {
  if (name === decodeURIComponent(sharedPartsOf(ownerUrl).username))
    return `DATABASE_URL and MIGRATE_DATABASE_URL name the same login '${name}'. Give the service a login of its own.`;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name))
    return `'${name}' is not a name for a login: use up to 63 of a-z, 0-9 and _.`;
  if (password.length < PASSWORD_CHARS_MIN || !/^[\x21-\x7e]+$/.test(password))
    return `The password of login '${name}' must have at least ${PASSWORD_CHARS_MIN} printable characters without spaces, e.g. the output of openssl rand -hex 24.`;
  return null;
}

async function makeLogin(client: pg.Client, { name, password, roles }: ServiceLogin): Promise<void> {
  const login = client.escapeIdentifier(name);
  // Only the verifier is sent, because a server may log statements.
  const verifier = client.escapeLiteral(scramVerifier(password));
  const known = await client.query('select 1 from pg_roles where rolname = $1', [name]);
  await client.query(
    known.rowCount === 0
      ? `create role ${login} login noinherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${verifier}`
      : `alter role ${login} login password ${verifier}`,
  );
  for (const role of roles) await client.query(`grant ${client.escapeIdentifier(role)} to ${login}`);
  const member = await client.query<{ member: boolean }>(
    `select pg_has_role(current_user, $1, 'usage') as member`,
    [name],
  );
  if (member.rows[0]?.member !== true) await client.query(`grant ${login} to current_user`);
}

/** RFC 5803, the form in which PostgreSQL keeps a password. ASCII needs no SASLprep. */
export function scramVerifier(password: string, salt: Buffer = randomBytes(SALT_BYTES)): string {
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}
