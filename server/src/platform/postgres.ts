import type { Duplex } from 'node:stream';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Config } from './config.ts';
import { counter } from './metrics.ts';
import { leaveReadOnlySessions, openHosts, singleHostUrls } from './postgres-hosts.ts';

/** A connection or a transaction, the first argument of every store function. SQL uses kysely's `sql` tag. */
export type Db = Kysely<object>;
export { type RawBuilder, sql } from 'kysely';

/** `assay_app` serves callers under row-level security; `assay_system` works across accounts (foundation rule 2). */
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
  /** Measured in the client, because the server's own timeout cannot fire while its process is stopped. */
  readonly queryTimeoutMs: number;
};

/**
 * A request waits at most a second for PostgreSQL, times POSTGRES_WAIT_FACTOR; a merge may take minutes
 * (reliability 5.11).
 */
export const REQUEST_LIMITS = {
  acquireTimeoutMs: 400,
  statementTimeoutMs: 600,
  lockTimeoutMs: 400,
  queryTimeoutMs: 700,
} as const;
export const BATCH_LIMITS = {
  acquireTimeoutMs: 30_000,
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

/** Each role has a login of its own where the operator set both; the login of callers cannot become the system role. */
export type PostgresConfig = Pick<Config, 'DATABASE_URL' | 'POSTGRES_POOL_MAX'> &
  Partial<Pick<Config, 'SYSTEM_DATABASE_URL' | 'POSTGRES_WAIT_FACTOR'>>;

export const ROLES: readonly Role[] = ['assay_app', 'assay_system'];

export const loginUrlOf = (config: Omit<PostgresConfig, 'POSTGRES_POOL_MAX'>, role: Role): string =>
  (role === 'assay_system' ? config.SYSTEM_DATABASE_URL : undefined) ?? config.DATABASE_URL;

export const systemUrlOf = (config: Omit<PostgresConfig, 'POSTGRES_POOL_MAX'>): string =>
  loginUrlOf(config, 'assay_system');

/** REQUEST_LIMITS times the configured POSTGRES_WAIT_FACTOR. */
export const requestLimits = ({ POSTGRES_WAIT_FACTOR: factor = 1 }: PostgresConfig) => ({
  acquireTimeoutMs: REQUEST_LIMITS.acquireTimeoutMs * factor,
  statementTimeoutMs: REQUEST_LIMITS.statementTimeoutMs * factor,
  lockTimeoutMs: REQUEST_LIMITS.lockTimeoutMs * factor,
  queryTimeoutMs: REQUEST_LIMITS.queryTimeoutMs * factor,
});

export function connectPostgres(
  config: PostgresConfig,
  role: Role,
  limits: Omit<PostgresLimits, 'poolMax'> = requestLimits(config),
  needsWriting = false,
): Postgres {
  const url = loginUrlOf(config, role);
  const needs = { needsWriting, waitMs: limits.acquireTimeoutMs };
  const hosts = openHosts(url, needs);
  const pool = new pg.Pool({
    connectionString: singleHostUrls(url)[0],
    ...(hosts !== null && { Client: hosts.Client }),
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
      // JIT costs more than it saves for all our statements: 470 ms for ten rows, 1.7 of 2.6 s for millions.
      '-c jit=off',
    ].join(' '),
  });
  // The pool replaces an idle connection that breaks; without a listener the error event would end the process.
  pool.on('error', () => undefined);
  // The same for a connection in use without a running statement; its holder gets the error with the next one.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  leaveReadOnlySessions(pool);
  hosts?.watch(pool);
  const db = new Kysely<object>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => {
      queries.inc({ role });
      if (event.level === 'error' && isPostgresAway(event.error)) hosts?.doubt();
    },
  });
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
    close: async () => {
      hosts?.close();
      await db.destroy();
    },
  };
}

/** One connection of the pool, lent to one piece of work. */
export type LentConnection = {
  readonly client: pg.PoolClient;
  /** kysely on this connection: a statement takes part in the transaction that is open on it. */
  readonly db: Db;
  /** Aborts when the connection breaks. */
  readonly broken: AbortSignal;
  /** Closes the connection at once. In the middle of a COPY an orderly close would wait forever (seen). */
  readonly cut: () => void;
};

/**
 * Lends one connection to `work`. A connection whose server goes away while no statement runs on it reports that to
 * its listeners only, and without one the process would end. Afterwards it returns to the pool, unless it broke, was
 * cut or `isClosed` says that its state must not reach the next user.
 */
export async function lendConnection<T>(
  { pool }: Pick<Postgres, 'pool'>,
  work: (lent: LentConnection) => Promise<T>,
  { isClosed = false }: { readonly isClosed?: boolean } = {},
): Promise<T> {
  const client = await pool.connect();
  const broken = new AbortController();
  const onError = (error: Error) => broken.abort(error);
  client.on('error', onError);
  const cut = () => {
    broken.abort(new Error('The connection was cut.'));
    (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
  };
  try {
    return await work({ client, db: onOneConnection(client), broken: broken.signal, cut });
  } finally {
    client.off('error', onError);
    client.release(isClosed || broken.signal.aborted);
  }
}

function onOneConnection(client: pg.PoolClient): Db {
  const borrowed = { query: client.query.bind(client), release: () => undefined };
  return new Kysely<object>({
    dialect: new PostgresDialect({
      pool: { connect: async () => borrowed as never, end: async () => undefined, options: {} },
    }),
  });
}

/**
 * The only way to work across accounts: relay, replicator, ledger, admin. The architecture test lists its users. Of several hosts
 * it uses the one that accepts writes alone, because a standby may not have the whole change log yet; requests that read may say
 * otherwise.
 */
export const asSystem = (
  config: PostgresConfig,
  limits: Omit<PostgresLimits, 'poolMax'> = BATCH_LIMITS,
  needsWriting = true,
): Postgres => connectPostgres(config, 'assay_system', limits, needsWriting);

/**
 * SQLSTATE classes of a temporary failure: connection, resources, operator intervention, lock or statement timeout, a
 * server that accepts no writes.
 */
const AWAY_SQLSTATE = /^(08|53|57P0|55P03|57014|25P03|25006)/;
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENOENT',
]);
/** Messages of the driver's errors that have no code; a timeout of another engine must not match. */
const AWAY_MESSAGES =
  /^(Query read timeout|timeout expired|timeout exceeded when trying to connect|Connection terminated|Client (has encountered|was closed)|Cannot use a pool after)/;

export function isPostgresAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && (AWAY_CODES.has(code) || AWAY_SQLSTATE.test(code))) return true;
  return AWAY_MESSAGES.test(error.message);
}

const sqlStateOf = (error: unknown): unknown =>
  error instanceof Error ? (error as { code?: unknown }).code : undefined;

/** The server refused a write because it is a standby, or was set to read-only. Reads still work (decisions O72). */
export const isReadOnlyRefusal = (error: unknown): boolean => sqlStateOf(error) === '25006';

/** PostgreSQL rolled a transaction back in favor of another one: a deadlock or a failed serialization. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(String(sqlStateOf(error)));

/**
 * Call it when a COPY has ended, with success or not. pg starts its query timeout for a COPY and clears it in a
 * callback that pg-copy-streams never calls: the timer would fire long after the COPY and end the process (seen).
 */
export function settleCopy(stream: object): void {
  (stream as { callback?: () => void }).callback?.();
}

/** Throws when PostgreSQL is away. */
export async function pingPostgres(postgres: Postgres): Promise<'writable' | 'readOnly'> {
  const { rows } = await sql<{ state: string }>`
    select current_setting('transaction_read_only') as state`.execute(postgres.db);
  return rows[0]?.state === 'on' ? 'readOnly' : 'writable';
}
