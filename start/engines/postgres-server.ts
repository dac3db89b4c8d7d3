import pg from 'pg';

export const POSTGRES_VERSION_MIN = 150_000;
const CONNECT_TIMEOUT_MS = 3_000;

/** What a login of a PostgreSQL server can see of it and do on it. */
export type PostgresFacts = { readonly version: number; readonly mayCreate: boolean };

export const examinePostgres = (server: string): Promise<PostgresFacts> =>
  onServer(server, async (client) => {
    const { rows } = await client.query<PostgresFacts>(
      `select current_setting('server_version_num')::int as version,
              rolsuper or (rolcreatedb and rolcreaterole) as "mayCreate"
         from pg_roles where rolname = current_user`,
    );
    const [facts] = rows;
    if (facts === undefined) throw new Error('PostgreSQL did not name the role of this connection.');
    return facts;
  });

export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Works on the server's own database `postgres`, because the one of the service may not exist yet. */
export const onServer = <T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  onDatabase(databaseUrl(server, 'postgres'), work);

export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Ignored here: a lost connection also fails the next statement, which reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
