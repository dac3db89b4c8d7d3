import type { Config } from './config.ts';
import { loginUrlOf, type Postgres, ROLES, type Role, sql } from './postgres.ts';
import { sharedPartsOf } from './postgres-hosts.ts';

type ReachableRole = {
  readonly name: string;
  readonly isLogin: boolean;
  readonly isCurrent: boolean;
  readonly superuser: boolean;
  readonly bypass: boolean;
  readonly createsRoles: boolean;
  readonly replicates: boolean;
  readonly owns: boolean;
};

const OWNED_BY_USERS = sql`n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;

/**
 * The login, and every role that it can become by a membership, with or without the SET option: an ADMIN option alone
 * lets it grant itself the rest. Owners of the database or of a schema can drop what it holds, so they count as owners.
 */
const reachableRoles = sql<ReachableRole>`
  with recursive reachable (oid) as (
    select r.oid from pg_roles r where r.rolname = session_user
    union select m.roleid from pg_auth_members m join reachable on m.member = reachable.oid)
  select r.rolname as name, r.rolname = session_user as "isLogin", r.rolname = current_user as "isCurrent",
         r.rolsuper as superuser, r.rolbypassrls as bypass, r.rolcreaterole as "createsRoles",
         r.rolreplication as replicates,
         exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
                  where c.relowner = r.oid and c.relkind in ('r', 'p', 'v', 'm') and ${OWNED_BY_USERS})
         or exists (select 1 from pg_proc p join pg_namespace n on n.oid = p.pronamespace
                     where p.proowner = r.oid and ${OWNED_BY_USERS})
         or exists (select 1 from pg_namespace n where n.nspowner = r.oid and ${OWNED_BY_USERS})
         or exists (select 1 from pg_database d where d.datname = current_database() and d.datdba = r.oid) as owns
    from pg_roles r
   where r.oid in (select oid from reachable) or r.rolname = current_user
   order by "isLogin" desc, name
   limit 1000`;

export type LoginConfig = Pick<Config, 'DATABASE_URL' | 'SYSTEM_DATABASE_URL' | 'ALLOW_POWERFUL_LOGIN'>;

/**
 * Row-level security does not apply to a superuser or an owner (seen), and `set role` is only an option of the
 * connection: an injected statement can end it. So neither the role nor the login may be, or be able to become, more
 * than the roles it serves (foundation rule 2).
 */
export async function assertRestricted(
  { db, role }: Pick<Postgres, 'db' | 'role'>,
  config: LoginConfig,
): Promise<void> {
  const { rows } = await reachableRoles.execute(db);
  const login = rows.find(({ isLogin }) => isLogin);
  const current = rows.find(({ isCurrent }) => isCurrent);
  if (login === undefined || current === undefined)
    throw new Error('PostgreSQL did not name the role of this connection.');
  const power = powerOf(current);
  if (power !== null)
    throw new Error(
      `PostgreSQL role '${current.name}' ${power}, so row-level security would not apply. Run 'npm run migrate' and let the service connect as ${role}.`,
    );
  if (config.ALLOW_POWERFUL_LOGIN) return;
  const reason = reasonAgainst(login, rows, rolesServedBy(config, role));
  if (reason !== null)
    throw new Error(
      `PostgreSQL login '${login.name}' ${reason}, so one injected statement could end row-level security. Let 'npm run migrate' make a login for the service (MIGRATE_DATABASE_URL), or set ALLOW_POWERFUL_LOGIN=true on a machine for development.`,
    );
}

function powerOf(role: ReachableRole): string | null {
  if (role.superuser) return 'is a superuser';
  if (role.bypass) return 'has BYPASSRLS';
  if (role.createsRoles) return 'can create roles';
  if (role.replicates) return 'can replicate the whole server';
  return role.owns ? 'owns tables, functions, a schema or the database' : null;
}

function reasonAgainst(
  login: ReachableRole,
  reachable: readonly ReachableRole[],
  served: ReadonlySet<string>,
): string | null {
  const power = powerOf(login);
  if (power !== null) return power;
  const other = reachable.find((role) => !role.isLogin && (!served.has(role.name) || powerOf(role) !== null));
  return other === undefined ? null : `can become '${other.name}'`;
}

/** One login may serve both roles; with a login for each, neither may become the other's. */
function rolesServedBy(config: LoginConfig, role: Role): ReadonlySet<string> {
  const userOf = (each: Role) => sharedPartsOf(loginUrlOf(config, each)).username;
  return new Set(ROLES.filter((each) => userOf(each) === userOf(role)));
}
