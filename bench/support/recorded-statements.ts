import type pg from 'pg';
import type { Postgres } from '../../server/src/platform/postgres.ts';

export type Statement = { readonly text: string; readonly values: readonly unknown[] };

/** Records the statements that `work` sends to PostgreSQL, so that a bare client can send the same ones. */
export async function recordStatements(
  postgres: Pick<Postgres, 'pool'>,
  work: () => Promise<unknown>,
): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  const { pool } = postgres;
  const connect = pool.connect.bind(pool);
  const recorded = async (): Promise<pg.PoolClient> => {
    const client = await connect();
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const record = (...given: unknown[]): unknown => {
      const [text, values = []] = given as [string, unknown[]?];
      statements.push({ text, values });
      return query(...given);
    };
    client.query = record as typeof client.query;
    const release = client.release.bind(client);
    client.release = (error) => {
      client.query = query as typeof client.query;
      client.release = release;
      release(error);
    };
    return client;
  };
  pool.connect = recorded as typeof pool.connect;
  try {
    await work();
  } finally {
    pool.connect = connect as typeof pool.connect;
  }
  return statements;
}
