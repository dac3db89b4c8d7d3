import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Config } from './config.ts';
import { ServiceError, unavailable } from './errors.ts';
import { counter } from './metrics.ts';

/** A connection, or a transaction on one: what every store takes. SQL is written with kysely's `sql` tag. */
export type Db = Kysely<object>;
export { sql } from 'kysely';

/** `assay_app` serves callers under row-level security; `assay_system` works across accounts (rule 2). */
export type Role = 'assay_app' | 'assay_system';

export type Postgres = {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly role: Role;
  readonly transaction: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
  /** A transaction that sees and writes the rows of one account only. */
  readonly withAccount: <T>(accountId: string, work: (tx: Db) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

export type PostgresLimits = {
  readonly poolMax: number;
  readonly acquireTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** Client-side: the server's own timeout cannot fire while its process is stopped. */
  readonly queryTimeoutMs: number;
};

/** Reliability 5.11: a request waits at most a second for PostgreSQL; a merge may take minutes. */
export const REQUEST_LIMITS = {
  acquireTimeoutMs: 400,
  statementTimeoutMs: 600,
  lockTimeoutMs: 400,
  queryTimeoutMs: 700,
} as const;
export const BATCH_LIMITS = {
  acquireTimeoutMs: 5_000,
  statementTimeoutMs: 900_000,
  lockTimeoutMs: 60_000,
  queryTimeoutMs: 960_000,
} as const;
const IDLE_IN_TRANSACTION_MS = 10_000;

const queries = counter({
  name: 'postgres_queries_total',
  help: 'Statements sent to PostgreSQL.',
  labels: ['role'],
});

export function connectPostgres(
  config: Pick<Config, 'DATABASE_URL' | 'POSTGRES_POOL_MAX'>,
  role: Role,
  limits: Omit<PostgresLimits, 'poolMax'> = REQUEST_LIMITS,
): Postgres {
  const pool = new pg.Pool({
    connectionString: config.DATABASE_URL,
    application_name: role,
    max: config.POSTGRES_POOL_MAX,
    connectionTimeoutMillis: limits.acquireTimeoutMs,
    query_timeout: limits.queryTimeoutMs,
    options: [
      `-c role=${role}`,
      `-c statement_timeout=${limits.statementTimeoutMs}`,
      `-c lock_timeout=${limits.lockTimeoutMs}`,
      `-c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
      '-c timezone=UTC',
      // Compiling costs more than it saves for every statement of ours: 470 ms for ten rows, 1.7 of 2.6 s for millions.
      '-c jit=off',
    ].join(' '),
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  // So would one that is lent out and not asked anything just then; whoever holds it is told by its next statement.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }), log: () => queries.inc({ role }) });
  const transaction = <T>(work: (tx: Db) => Promise<T>): Promise<T> => db.transaction().execute(work);
  return {
    db,
    pool,
    role,
    transaction,
    withAccount: (accountId, work) =>
      transaction(async (tx) => {
        await sql`select set_config('assay.account', ${accountId}, true)`.execute(tx);
        return work(tx);
      }),
    close: () => db.destroy(),
  };
}

/** The one door to work across accounts: relay, replicator, ledger, admin. The architecture test lists its users. */
export const asSystem = (
  config: Pick<Config, 'DATABASE_URL' | 'POSTGRES_POOL_MAX'>,
  limits: Omit<PostgresLimits, 'poolMax'> = BATCH_LIMITS,
): Postgres => connectPostgres(config, 'assay_system', limits);

type RoleFacts = { name: string; superuser: boolean; bypass: boolean; ownsTables: boolean };

/** Row-level security is void for a superuser or an owner (seen): such a connection stops the start (rule 2). */
export async function assertRestricted(postgres: Postgres): Promise<void> {
  const { rows } = await sql<RoleFacts>`
    select r.rolname as name, r.rolsuper as superuser, r.rolbypassrls as bypass,
           exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
                    where c.relowner = r.oid and c.relkind in ('r', 'p') and n.nspname = 'public') as "ownsTables"
      from pg_roles r where r.rolname = current_user`.execute(postgres.db);
  const role = rows[0];
  if (role === undefined) throw new Error('PostgreSQL did not name the current role.');
  const reason = role.superuser
    ? 'is a superuser'
    : role.bypass
      ? 'has BYPASSRLS'
      : role.ownsTables
        ? 'owns tables'
        : null;
  if (reason !== null)
    throw new Error(
      `PostgreSQL role '${role.name}' ${reason}, so row-level security would not apply. Run 'npm run migrate' and let the service connect as ${postgres.role}.`,
    );
}

/** SQLSTATE classes that mean "not now": connection, resources, operator intervention, lock or statement timeout. */
const AWAY_SQLSTATE = /^(08|53|57P0|55P03|57014|25P03)/;
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENOENT',
]);
/** The driver's own words for what carries no code; another engine's timeout must not read as PostgreSQL's. */
const AWAY_MESSAGES =
  /^(Query read timeout|timeout expired|timeout exceeded when trying to connect|Connection terminated|Client (has encountered|was closed)|Cannot use a pool after)/;

export function isPostgresAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && (AWAY_CODES.has(code) || AWAY_SQLSTATE.test(code))) return true;
  return AWAY_MESSAGES.test(error.message);
}

/** Turns an engine that is away into a 503 the caller can act on; anything else passes through unchanged. */
export function postgresFailure(error: unknown): unknown {
  if (error instanceof ServiceError || !isPostgresAway(error)) return error;
  return unavailable('The database is not reachable right now. Nothing was changed; try again.', 5, error);
}

/**
 * Call it when a COPY has ended, well or not. pg arms its query timeout for a COPY and clears it in a callback that
 * pg-copy-streams never calls: the timer would fire long after the COPY and end the process (seen).
 */
export function settleCopy(stream: object): void {
  (stream as { callback?: () => void }).callback?.();
}

/** One round trip: does PostgreSQL answer? Throws when it does not. */
export async function pingPostgres(postgres: Postgres): Promise<boolean> {
  await sql`select 1`.execute(postgres.db);
  return true;
}
